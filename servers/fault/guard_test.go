package fault_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestCall: a panic is an error with its stack; an error, and success, stay as they are.
func TestCall(t *testing.T) {
	zero := 0
	err := fault.Guard(func() error { return errors.New("x" + string(rune(1/zero))) })
	var broke *fault.PanicError
	require.ErrorAs(t, err, &broke)
	assert.Contains(t, string(broke.Stack), "guard_test.go")
	assert.ErrorIs(t, fault.Guard(func() error { return assert.AnError }), assert.AnError)
	assert.NoError(t, fault.Guard(func() error { return nil }))
}
