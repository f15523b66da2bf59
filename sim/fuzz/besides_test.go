package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBesides(t *testing.T) {
	was := leavesOf(t, `{"spec":{"size":5}}`)
	assert.Len(t, besides(was, leavesOf(t, `{"spec":{"size":5,"step":5}}`), leavesOf(t, `{"spec":{"size":5}}`)), 1, "lost")
	assert.Len(t, besides(was, leavesOf(t, `{"spec":{"size":5}}`), leavesOf(t, `{"spec":{"size":5,"step":0}}`)), 1, "added")
	assert.Empty(t, besides(was, was, leavesOf(t, `{"spec":{"size":6}}`)), "acknowledged values are compared elsewhere")
}
