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
		want  term.Fate
	}{
		"a label is kept":                         {Cell{Write: label, Fate: term.FateKept}, term.FatePartlyFrozen},
		"a label is written, and the value lost":  {Cell{Write: label, Fate: term.FateLostByNew}, term.FatePartlyFrozen},
		"a label is refused":                      {Cell{Write: label, Fate: term.FateRefused}, term.FateFrozen},
		"a label freezes":                         {Cell{Write: label, Fate: term.FateFrozen}, term.FateFrozen},
		"a label is written by another release":   {Cell{Write: "put of a label through the old release", Fate: term.FateKept}, term.FateFrozen},
		"a label is not sent":                     {Cell{Write: beside, Fate: term.FateFrozen}, term.FateFrozen},
		"its own bytes are refused, as a dry run": {Cell{Write: "any write through the new release, as a dry run", Fate: term.FateFrozen}, term.FateFrozen},
	} {
		o := Outcome{Exercised: true, Cells: []Cell{{Write: beside, Fate: term.FateFrozen}, c.other}}
		(&book{}).decide(&o, nil)
		assert.Equal(t, c.want, o.Verdict, name)
	}
	condition := Outcome{Exercised: true, Cells: []Cell{{Write: "status-put of a status condition through the new release", Fate: term.FateFrozen}, {Write: label, Fate: term.FateKept}}}
	(&book{}).decide(&condition, nil)
	assert.Equal(t, term.FatePartlyFrozen, condition.Verdict, "a status is a part")
	rows := Result{Rows: []Row{{ID: "in part", Outcome: Outcome{Verdict: term.FatePartlyFrozen}}, {ID: "whole", Outcome: Outcome{Verdict: term.FateFrozen}}}}
	assert.Equal(t, []string{"whole"}, failing(rows, Gate{Level: term.FateFrozen}))
	assert.Equal(t, []string{"in part", "whole"}, failing(rows, Gate{Level: term.FatePartlyFrozen}))
	assert.Equal(t, []string{"in part", "whole"}, failing(rows, Gate{Level: term.FateLostByNew}), "the default level")
}

// TestPartlyFrozenByItself: an object whose label a release has written, and whose struct it then refuses to change, is
// frozen in part, whatever became of a value when the label was written.
func TestPartlyFrozenByItself(t *testing.T) {
	const beside = "put of a field beside the value through the new release"
	for code, want := range map[int]term.Fate{200: term.FatePartlyFrozen, 422: term.FateFrozen} {
		w := write{code: code}
		w.Verb, w.ViaRole, w.Change = term.Put, term.New, &plan.Change{Kind: plan.Label}
		p := played{evidence: Evidence{Copies: map[string]copyEvidence{"it-1": {object: "it", writes: []write{w}}}}}
		p.object.Target.ID = "it"
		assert.Equal(t, want, inPart([]Cell{{Write: beside, Fate: term.FateFrozen}}, p.accepted())[0].Fate)
	}
}
