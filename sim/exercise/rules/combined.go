package rules

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
)

// mostOfMember is how many values of one member that the releases answer differently show what a rule
// does.
const mostOfMember = 2

// compared returns, for each member of the object that the target's rule in CEL names, the edits to what
// the rule compares it with.
func (t Target) compared() (all [][]change) {
	base := t.where()
	if t.Whole {
		base = ""
	}
	group := map[string]int{} // by the member: both releases' rules name it
	for _, l := range append(readLiterals(t.Old), readLiterals(t.New)...) {
		where, found := locate(t.Object, base+l.path)
		if !found || len(where) == 0 {
			continue
		}
		var own []change
		is, has := path.Get(t.Object, where)
		for _, v := range l.valuesFor(is) {
			if !has || !isEqual(is, v) {
				own = append(own, change{at: where, value: v})
			}
		}
		if has && l.removed {
			own = append(own, change{at: where, removed: true})
		}
		i, known := group[l.path]
		if !known {
			i, all = len(all), append(all, nil)
			group[l.path] = i
		}
		all[i] = distinct(append(all[i], own...))
	}
	return all
}

// tryCompared tries what a rule in CEL compares members of its object with: each by itself, and, if the
// releases answer all of them alike, combinations of two.
func tryCompared(ctx context.Context, r *play, t Target, members [][]change, result *Result) {
	for _, own := range members {
		before := len(result.Trials)
		for _, c := range own {
			if r.tryEach(ctx, t, []change{c}, t.Object, result); len(result.Trials) >= before+mostOfMember {
				break
			}
		}
	}
	tried := 0
	for i, first := range members {
		for j, second := range members {
			if i == j || len(result.Trials) > 0 {
				continue
			}
			for n := 0; n < len(first)*len(second) && tried < mostPairs && len(result.Trials) == 0; n++ {
				tried++
				tryPair(ctx, r, t, first[n/len(second)], second[n%len(second)], result)
			}
		}
	}
}

// tryPair tries a change of an object that has another change already, which both releases accept.
func tryPair(ctx context.Context, r *play, t Target, first, second change, result *Result) {
	edited, ok := first.apply(t.Object)
	if !ok {
		return
	}
	if pair := r.createBoth(ctx, t, edited); pair.answers[0].Accepted && pair.answers[1].Accepted {
		t.Object = runtime.DeepCopyJSON(edited)
		r.tryEach(ctx, t, []change{second}, t.Object, result)
	}
}
