package main

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAbandonWhileClosing: a second Ctrl-C does not wait for an engine that takes its
// time to close, and still removes what must not outlive the runs.
func TestAbandonWhileClosing(t *testing.T) {
	a := &app{}
	c := a.beside(io.Discard)
	secrets := t.TempDir()
	c.secrets.Store(&secrets)
	c.engine.Lock() // as an engine that hangs holds it
	closed := make(chan error, 1)
	go func() { closed <- a.closeContainers() }()
	abandoned := make(chan struct{})
	go func() { a.abandon(); close(abandoned) }()
	select {
	case <-abandoned:
		assert.NoDirExists(t, secrets)
	case <-closed:
		t.Error("the engine hangs, and nothing waited for it")
	case <-time.After(time.Minute): // far more than it takes
		t.Error("it waits for the engine")
	}
	c.engine.Unlock()
	require.NoError(t, <-closed)
}
