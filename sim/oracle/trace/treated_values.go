package trace

import (
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// formValue is one value of a form of a kind.
type formValue struct{ name, semantic string }

// holders says which copies of a kind were planned with a value.
type holders struct{ treated, bystander bool }

// OnlyTreatedHave reports whether a value distinguishes the treated forms of the kind: a treated
// form holds it, and no bystander does. The change may be such a value, for example a new member
// of an enumeration that both releases publish.
func OnlyTreatedHave(ev *Evidence, tl *Timeline, leaf schema.Leaf) bool {
	had := heldBy(ev, tl)[formValue{path.String(leaf.Path), leaf.Semantic}]
	return had.treated && !had.bystander
}

// heldBy returns the values in the forms of a kind with their holders. Every value of every
// refused call is looked up, so each form is read once and not once for each value: a list can
// hold a thousand elements, and a sweep has hundreds of forms.
func heldBy(ev *Evidence, tl *Timeline) map[formValue]holders {
	kind := tl.Manifest.APIVersion + " " + tl.Manifest.Kind
	if all, known := ev.forms[kind]; known {
		return all
	}
	treated, bystander := map[string]bool{}, map[string]bool{} // by manifest
	all := map[formValue]holders{}
	for _, other := range ev.Timelines {
		file, seen := other.Copy.Manifest, bystander
		if other.Copy.Role == term.Treated {
			seen = treated
		}
		if other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Manifest.Kind != tl.Manifest.Kind || other.Copy.Role == term.Untouched || seen[file] {
			continue // an untouched copy may have either form
		}
		seen[file] = true
		for name, leaf := range LeavesIn(tl.Kind, other.Manifest.Body) {
			value := formValue{name, leaf.Semantic}
			had := all[value]
			all[value] = holders{had.treated || other.Copy.Role == term.Treated, had.bystander || other.Copy.Role != term.Treated}
		}
	}
	ev.forms[kind] = all
	return all
}
