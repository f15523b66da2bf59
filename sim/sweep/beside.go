package sweep

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A server that holds nothing else has accepted each object before a lap. If a server of the same
// release refuses it in the lap, the other objects are why, and not the release: a second default of
// its kind, say, or an address that is taken.

// besides returns why what happened to an object in a lap is not the releases' doing; "" if it is: a
// server refused to create a copy only because of other objects, or deleted one, as servers do with
// what expires. The baseline is the name of the kind's.
func besides(o Object, e Evidence, baseline string) string {
	for _, name := range e.of(o.Target.ID) {
		if e.Deleted[name] {
			return fmt.Sprintf("a server deleted its copy %s, which no step did: %s", name, whyDeleted(o, e, baseline))
		}
		for _, w := range e.Copies[name].writes {
			if w.Birth && w.ViaRole == o.Target.Release && w.refused() {
				if w.code == http.StatusNotFound { // no object is in the way: the kind, or what holds the object, is not there
					return fmt.Sprintf("%s did not serve the kind when the object was to be created: %s", releaseWords(w.ViaRole), refusalOf(w))
				}
				return "refused only beside the lap's other objects: " + refusalOf(w)
			}
			if o.isPartWithout(w) && w.refused() {
				return fmt.Sprintf("%s requires .%s in a status too: %s", releaseWords(w.ViaRole), o.Target.Without, refusalOf(w))
			}
		}
	}
	return ""
}

// isPartWithout reports whether a write sends, through its own release, a part without the field.
func (o Object) isPartWithout(w write) bool {
	return o.Target.Without != "" && w.Part() != "" && w.sendsValue() && w.ViaRole == o.Target.Release && fmt.Sprint(w.Change.Fields) == fmt.Sprint(o.partFields())
}

// whyDeleted says what a deletion by a server is due to, as far as the kind's object shows that uses no
// difference.
func whyDeleted(o Object, e Evidence, baseline string) string {
	switch {
	case o.Target.Baseline():
		return "servers delete objects of this kind, such as what expires or what nothing refers to"
	case slices.ContainsFunc(e.of(baseline), func(name string) bool { return e.Deleted[name] }):
		return "servers also deleted the kind's object that uses no difference, as they do with what expires or what nothing refers to"
	case len(e.of(baseline)) > 0:
		return "the kind's object that uses no difference stayed, so what this one holds is why; play it alone to see which release does it"
	}
	return "whether its value is why is not known: the run has no object of the kind that uses no difference"
}

// Disturbed says of each kind whose baseline has no outcome why that is so, in order.
func Disturbed(laps []Lap) (notes []string) {
	for _, lap := range laps {
		_, runs := indexed(lap.Evidence)
		for _, o := range lap.Objects {
			if words := besides(o, runs[o.Target.ID], o.Target.ID); words != "" && o.Target.Baseline() {
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
