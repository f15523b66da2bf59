package main

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/builder"
)

// TestAbandonWhileClosing: a second Ctrl-C does not wait for an engine that takes its
// time to close, and still removes what must not outlive the runs.
func TestAbandonWhileClosing(t *testing.T) {
	a := &App{}
	c := a.Beside(io.Discard)
	secrets := t.TempDir()
	c.Temporary(secrets)
	hangs, ends := make(chan struct{}), make(chan struct{})
	go c.making.Do(func() { close(hangs); <-ends; c.maker = builder.New(builder.Config{}) }) // as an engine that hangs
	<-hangs
	closed := make(chan error, 1)
	go func() { closed <- a.CloseBuilders() }()
	abandoned := make(chan struct{})
	go func() { a.Abandon(); close(abandoned) }()
	select {
	case <-abandoned:
		assert.NoDirExists(t, secrets)
	case <-closed:
		t.Error("the engine hangs, and nothing waited for it")
	case <-time.After(time.Minute): // far more than it takes
		t.Error("it waits for the engine")
	}
	close(ends)
	require.NoError(t, <-closed)
}
