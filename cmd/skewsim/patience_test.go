package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestPatience: what takes long is said again and again; what is quick is not.
func TestPatience(t *testing.T) {
	for took, lines := range map[time.Duration]int{time.Second: 0, 6 * time.Second: 1, 36 * time.Second: 3} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			finished := (&App{Err: &said}).Patience("reading")
			time.Sleep(took)
			finished()
			assert.Equal(t, lines, strings.Count(said.String(), "\n"), took)
		})
	}
}
