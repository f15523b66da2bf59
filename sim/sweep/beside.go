package sweep

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A server that holds nothing else has accepted each object before a lap. If a server of the same
// release refuses it in the lap, the other objects are why, and not the release: a second default of
// its kind, say, or an address that is taken.

// besides returns the words of a server that refused to create a copy of the object only because of
// other objects; "" if none did.
func besides(o Object, e Evidence) string {
	for _, name := range e.of(o.Target.ID) {
		for _, w := range e.Copies[name].writes {
			if w.Birth && w.ViaRole == o.Target.Release && w.refused() {
				return "refused only beside the lap's other objects: " + refusalOf(w)
			}
		}
	}
	return ""
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
