package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
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

// TestTypedClientMisreadsEntry: what differences publish of a map's values, a finding shows at an entry: the type is
// another one there too. In a map beside it both releases publish the same type.
func TestTypedClientMisreadsEntry(t *testing.T) {
	for published, want := range map[string]bool{".spec.m[]": false, ".spec.m[].x[]": false, ".spec.m[].y": true, ".spec.n[]": true} {
		r := aRun()
		r.rows = append(r.rows, differences(diff.Result{Differences: []diff.Difference{{Difference: term.TypeChanged, Version: "v1", Kind: "Thing", Path: published, Playable: true}}}, Scope{})...)
		r.objects[theObject].Specimen.Held = ".spec.m.sample.x"
		r.ledger.Copies[0].Fields = append(r.ledger.Copies[0].Fields, result.Field{Path: ".spec.m.sample.x", Step: 1, Outcome: term.Kept})
		r.finding(theObject, result.Finding{
			Path: ".spec.m.sample.x", Outcome: term.Failed, Cause: term.Misread, Class: term.Violation, Rule: term.Rule5, Via: term.New, Verb: term.Put, Client: term.NewTyped,
		})
		rows := r.judged()
		row := rows[indexOf(rows, valueRow, term.Undecodable.Effect())]
		assert.Equal(t, want, row.PreExisting, published)
	}
}
