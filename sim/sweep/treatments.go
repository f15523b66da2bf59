package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// treatments are the lines of an object: what is done to copies of it, few enough that hundreds
// of objects travel together.
func treatments(o Object, oneDefinition bool) []scenarios.Line {
	t, w := o.Target, LinesOf(o.Target.ID, o.Target.Release, oneDefinition)
	born := []scenarios.Line{w.Born()}
	switch {
	case t.Change != nil:
		return append(born, w.Changed(t.Change, t.Part)...)
	case t.Scaled != "":
		return append(born, w.ScaledField(t.Scaled)...)
	case t.Selector != "":
		return append(born, w.Selected(o.selectors())...)
	case t.Shared:
		return append(born, w.Shared(o.part())...)
	case t.Part == term.ScalePart:
		return append(born, w.Scaled()...)
	case t.Paired && t.Path != "":
		return append(born, w.StatusInOthers(o.partFields(), t)...)
	case t.Baseline() && t.Paired:
		return slices.Concat(born, w.Baseline(t.Others), w.OfferedInOthers(t.Others))
	case t.Baseline():
		return append(born, w.Baseline(t.Others)...)
	case t.Preferred:
		return append(born, w.Preferred())
	case t.Alone:
		all := append(born, w.Alone(t.Withdrawn, t.Elsewhere)...)
		if t.isForPairs() && len(t.Others) > 0 {
			all = append(all, w.InOthers(w.Own, t.Others, w.At.Created))
		}
		return all
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
	offered := w.Offered()
	if t.Stated && t.Release == term.Old { // whose objects the other release may refuse, and has the fields of
		offered = w.OfferedPlainly()
	}
	return append(append(all, offered), w.Besides(beside(o))...)
}

// beside is another value of a field beside the object's value, where the object is changed there.
func beside(o Object) map[string]any {
	if !o.Target.Beside {
		return nil
	}
	return o.Target.Neighbour
}

// selectors select the object by the field that it holds; none: the field has no plain value.
func (o Object) selectors() []string {
	held, err := path.Parse(o.Specimen.Held)
	if err != nil {
		return nil
	}
	value, _ := path.Get(o.Specimen.Object, held)
	switch value.(type) {
	case string, int64, bool:
		if text := fmt.Sprint(value); text != "" && !strings.ContainsAny(text, `,=!\`) {
			return []string{o.Target.Selector + "=" + text}
		}
	}
	return nil
}

// part is a part of the list or map that the object holds a part of, which it does not have.
func (o Object) part() map[string]any {
	return OtherPart(o.Specimen.Object, o.Specimen.Held, o.Target.Keys)
}
