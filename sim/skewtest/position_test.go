package skewtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExplain: errors of plans and runs name lines of the scenario's file. Its readers get the
// lines of Go.
func TestExplain(t *testing.T) {
	s := myField()
	at := s.positions()
	loaded, err := s.load("frobber")
	require.NoError(t, err)
	cause := errors.New("no")
	for part, want := range map[string]position{
		"play[1]":         s.all[1].at,
		"play[2].then[0]": s.all[2].then.all[0].at,
		"objects.gadget":  s.objectsAt["gadget"],
		"expect[0]":       s.expect[0].at,
		"about":           s.at,
	} {
		require.True(t, want.known(), part)
		err := at.explain(fmt.Errorf("%s: %s: %w", loaded.Place(part), part, cause), loaded)
		assert.EqualError(t, err, want.String()+": "+part+": no")
		assert.ErrorIs(t, err, cause)
	}
	assert.Equal(t, s.expect[0].at.String(), at.expectation(loaded, 1))
	assert.Equal(t, loaded.Place("expect[0]"), positions(nil).expectation(loaded, 1), "of a file")
	assert.Equal(t, cause, positions(nil).explain(cause, loaded))
}
