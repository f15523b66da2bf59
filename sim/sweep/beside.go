package sweep

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A server that holds nothing else has accepted each object before a lap. If a server of the same
// release refuses it in the lap, the other objects are why, and not the release: a second default of
// its kind, say, or an address that is taken.

// besides returns why what happened to an object in a lap is not the releases' doing; "" if it is: a
// server refused to create a copy only because of other objects, or deleted one, as servers do with
// what expires.
func besides(o Object, e Evidence) string {
	for _, name := range e.of(o.Target.ID) {
		if e.Deleted[name] {
			return "a server deleted it while the lap was played, as servers do with what expires"
		}
		for _, w := range e.Copies[name].writes {
			if w.Birth && w.ViaRole == o.Target.Release && w.refused() {
				return "refused only beside the lap's other objects: " + refusalOf(w)
			}
		}
	}
	return ""
}

// Disturbed says of each kind whose baseline has no outcome why that is so, in order.
func Disturbed(laps []Lap) (notes []string) {
	for _, lap := range laps {
		_, runs := indexed(lap.Evidence)
		for _, o := range lap.Objects {
			if words := besides(o, runs[o.Target.ID]); words != "" && o.Target.Baseline() {
				notes = append(notes, fmt.Sprintf("%s %s, an object that uses no difference: %s", o.Target.APIVersion, o.Target.Kind, words))
			}
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// isBeside reports whether the other release refused a copy that it was offered only because of
// other objects.
func (p played) isBeside(c copyEvidence) bool {
	return p.object.OtherAccepts && slices.ContainsFunc(c.writes, func(w write) bool {
		return w.Birth && w.ViaRole != p.object.Target.Release && w.FieldValidation != term.Strict && w.refused()
	})
}

// refused reports whether the server itself refused the write.
func (w write) refused() bool { return w.code >= 400 && w.code < 500 }
