package main

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestWithRoom: a program that uses little keeps its limit; one that uses as much, or more, has room for garbage.
func TestWithRoom(t *testing.T) {
	assert.EqualValues(t, 400, withRoom(400, memory{live: 100, others: 50}))
	assert.EqualValues(t, 400, withRoom(400, memory{live: 200, others: 50}))
	assert.EqualValues(t, 500, withRoom(400, memory{live: 300, others: 50}))
	assert.EqualValues(t, 725, withRoom(400, memory{live: 450, others: 50}))
}

// TestAfterCollections: each collection is noticed, not the first alone.
func TestAfterCollections(t *testing.T) {
	noticed := make(chan memory, 8)
	afterCollections(func() {
		select {
		case noticed <- readMemory():
		default:
		}
	})
	for range 2 {
		runtime.GC()
		select {
		case m := <-noticed:
			assert.Positive(t, m.live)
			assert.Positive(t, m.others)
		case <-time.After(10 * time.Second):
			t.Fatal("a collection was not noticed")
		}
	}
}
