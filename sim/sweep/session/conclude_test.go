package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/sweep"
)

// TestWriteNothing: releases that do not differ leave no scenario to write; rows of which none was played are
// an error, since the user waits for their files.
func TestWriteNothing(t *testing.T) {
	s := &session{request: Request{Write: t.TempDir()}}
	assert.NoError(t, s.write())
	s.result.Rows = []sweep.Row{{ID: "a row"}}
	assert.ErrorContains(t, s.write(), s.request.Write)
}
