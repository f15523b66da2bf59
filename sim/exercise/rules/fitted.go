package rules

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
)

// fitted returns the target with an object that both releases accept, where one of them refuses its own
// object for other fields than the rule's: without those, which the refusal names. Where that is not
// enough, it returns what it was given.
func (r *play) fitted(ctx context.Context, t Target, base *pairOfAnswers) (Target, *pairOfAnswers) {
	smaller := t
	smaller.Object = runtime.DeepCopyJSON(t.Object)
	for pair := base; ; {
		if !smaller.remove(slices.Concat(pair.answers[0].Causes, pair.answers[1].Causes)) {
			return t, base
		}
		pair = r.createBoth(ctx, smaller, smaller.Object)
		if pair.answers[0].Accepted && pair.answers[1].Accepted {
			smaller.Object = runtime.DeepCopyJSON(smaller.Object)
			return smaller, pair
		}
	}
}

// remove removes from the object the fields of refusals that are not the rule's. It reports whether there
// were any.
func (t Target) remove(causes []string) (some bool) {
	for _, cause := range causes {
		at, err := path.Parse("." + cause)
		if err != nil || len(at) < 2 || t.concerns("."+cause) {
			continue
		}
		some = path.Remove(t.Object, at) || some
	}
	return some
}

// concerns reports whether a field is the rule's: around the place of the rule, or within it and named by
// its text.
func (t Target) concerns(field string) bool {
	at, _ := locate(t.Object, t.where()) // with indices, as refusals spell elements
	of, own := tokens(field), tokens(path.String(at))
	if t.Whole {
		own = ""
	}
	if strings.HasPrefix(own+".", of+".") {
		return true
	}
	if !strings.HasPrefix(of+".", own+".") {
		return false
	}
	names := strings.Split(strings.TrimPrefix(of, own+"."), ".")
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(t.Name+t.Old+t.New, name) })
}
