package sweep

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/lines"
)

// treatments are the lines of an object: what is done to copies of it, few enough that hundreds
// of objects travel together.
func treatments(o Object, oneDefinition bool) []scenarios.Line {
	t, w := o.Target, lines.Of(o.Target.ID, o.Target.Release, oneDefinition)
	born := []scenarios.Line{w.Born()}
	switch {
	case t.Change != nil:
		return append(born, w.Changed(t.Change, t.Part)...)
	case t.Part == term.ScalePart:
		return append(born, w.Scaled()...)
	case t.Baseline():
		return append(born, w.Baseline(t.Others)...)
	case t.Preferred:
		return append(born, w.Preferred())
	case t.Alone:
		return append(born, w.Alone(t.Withdrawn, t.Elsewhere)...)
	case o.Specimen.Subresource != "":
		return append(born, w.Part(o.Specimen.Subresource, o.partFields(), beside(o))...)
	case t.Without != "":
		return append(append(born, w.Absent()...), w.Besides(beside(o))...)
	}
	all := append(born, w.ByOtherServer(), w.ByOtherClient(), w.ByOtherManager())
	if w.At.Alone != "" {
		all = append(all, w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: []term.Verb{term.MergePatch}}, w.At.Alone))
	}
	if zero := zeroOf(o); zero != nil {
		all = append(all, w.Zero(o.ValuePath(), zero))
	}
	if len(t.Others) > 0 && t.Release == term.New {
		all = append(all, w.InOthers(w.Own, t.Others, w.At.Created))
	}
	return append(append(all, w.Offered()), w.Besides(beside(o))...)
}

// beside is another value of a field beside the object's value, where the object is changed there.
func beside(o Object) map[string]any {
	if !o.Target.Beside {
		return nil
	}
	return o.Target.Neighbour
}
