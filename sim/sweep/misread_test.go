package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestTypedClientMisreads: a stored value that the types of the other release cannot decode makes the
// row of its field undecodable, with the cause. A value elsewhere in the object says nothing of it. Where both releases
// publish the same type, the types of the old one cannot decode it either.
func TestTypedClientMisreads(t *testing.T) {
	for _, c := range []struct {
		at   string
		kind term.DifferenceKind
		want term.Effect
		was  bool
	}{
		{valueRow, term.TypeChanged, term.Undecodable.Effect(), false},
		{valueRow, term.RuleTightened, term.Undecodable.Effect(), true},
		{".spec.y", term.TypeChanged, term.Kept.Effect(), false},
	} {
		at, want := c.at, c.want
		r := aRun()
		r.rows[theObject].Difference.Difference = c.kind
		r.finding(theObject, result.Finding{
			Path: at, Outcome: term.Failed, Cause: term.Misread, Class: term.Violation, Rule: term.Rule5, Via: term.New, Verb: term.Put, Client: term.NewTyped,
			Message: "answered 200, which the client's types could not read",
		})
		row := r.judged()[0]
		assert.Equal(t, want, row.Effect, at)
		assert.Equal(t, want == term.Undecodable.Effect(), row.Cause == term.Misread, at)
		assert.Equal(t, c.was, row.PreExisting, c.kind)
	}
}
