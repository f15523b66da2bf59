package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestPartlyFrozen: an object is frozen in part if a release refuses what changes beside the value, and takes
// a label; it is frozen if that release takes no label, or nobody sent one.
func TestPartlyFrozen(t *testing.T) {
	const beside, label = "put of a field beside the value through the new release", "merge-patch of a label through the new release"
	for name, c := range map[string]struct {
		other Cell
		want  term.Effect
	}{
		"a label is kept":                         {Cell{Write: label, Effect: term.Kept.Effect()}, term.PartlyFrozen.Effect()},
		"a label is written, and the value lost":  {Cell{Write: label, Effect: term.Lost.By(term.NewRelease)}, term.PartlyFrozen.Effect()},
		"a label is refused":                      {Cell{Write: label, Effect: term.Refused.Effect()}, term.Frozen.Effect()},
		"a label freezes":                         {Cell{Write: label, Effect: term.Frozen.Effect()}, term.Frozen.Effect()},
		"a label is written by another release":   {Cell{Write: "put of a label through the old release", Effect: term.Kept.Effect()}, term.Frozen.Effect()},
		"a label is not sent":                     {Cell{Write: beside, Effect: term.Frozen.Effect()}, term.Frozen.Effect()},
		"its own bytes are refused, as a dry run": {Cell{Write: "any write through the new release, as a dry run", Effect: term.Frozen.Effect()}, term.Frozen.Effect()},
	} {
		o := LapResult{Exercised: true, Cells: []Cell{{Write: beside, Effect: term.Frozen.Effect()}, c.other}}
		(&book{}).decide(&o, nil)
		assert.Equal(t, c.want, o.Effect, name)
	}
	condition := LapResult{Exercised: true, Cells: []Cell{{Write: "status-put of a status condition through the new release", Effect: term.Frozen.Effect()}, {Write: label, Effect: term.Kept.Effect()}}}
	(&book{}).decide(&condition, nil)
	assert.Equal(t, term.PartlyFrozen.Effect(), condition.Effect, "a status is a part")
	rows := Result{Rows: []Row{{ID: "in part", LapResult: LapResult{Effect: term.PartlyFrozen.Effect()}}, {ID: "whole", LapResult: LapResult{Effect: term.Frozen.Effect()}}}}
	assert.Equal(t, []string{"whole"}, failing(rows, Gate{Level: term.Frozen.Effect()}))
	assert.Equal(t, []string{"in part", "whole"}, failing(rows, Gate{Level: term.PartlyFrozen.Effect()}))
	assert.Equal(t, []string{"in part", "whole"}, failing(rows, Gate{Level: term.Lost.By(term.NewRelease)}), "the default level")
}

// TestPartlyFrozenByItself: an object whose label a release has written, and whose struct it then refuses to change, is
// frozen in part, whatever became of a value when the label was written.
func TestPartlyFrozenByItself(t *testing.T) {
	const beside = "put of a field beside the value through the new release"
	for code, want := range map[int]term.Effect{200: term.PartlyFrozen.Effect(), 422: term.Frozen.Effect()} {
		w := write{code: code}
		w.Verb, w.ViaRole, w.Change = term.Put, term.New, &plan.Change{Kind: plan.Label}
		p := played{evidence: Evidence{Copies: map[string]copyEvidence{"it-1": {object: "it", writes: []write{w}}}}}
		p.object.Target.ID = "it"
		assert.Equal(t, want, inPart([]Cell{{Write: beside, Effect: term.Frozen.Effect()}}, p.accepted())[0].Effect)
	}
}
