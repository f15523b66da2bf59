package load

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// subresource checks the part that a line names: its form, and that its verbs can write it.
// Only a server knows which subresources exist.
func (v lineChecks) subresource(at string, l scenarios.Line) {
	key := at + ".subresource"
	if !v.given(key) {
		if l.Type.PostsPart() {
			v.fail(at, "post needs a subresource, such as binding: to make an object is create's")
		}
		return
	}
	switch {
	case len(validation.IsDNS1123Label(l.Subresource)) > 0:
		v.fail(key, "%s is not a subresource such as status or ephemeralcontainers", strict.Quote(l.Subresource))
	case l.Subresource == term.ScalePart:
		v.fail(key, "a scale is of another kind than what it scales: write it with verb scale-put or scale-patch")
	case l.Subresource == term.StatusPart && v.given(at+".change"):
		v.fail(at+".change", "a touch of the status sets a condition, whatever the change")
	}
	for i, verb := range l.Verb {
		if !verb.WritesPart() {
			v.Add(v.s.LineOf(strict.Element(at+".verb", i)), at+".verb", "%q writes no part that a line names (verbs that do: %s)",
				verb, strings.Join(SelectVerbs(writesNamed), ", "))
		}
	}
}

// writesNamed are the verbs of touch and set that write a part which the line names.
func writesNamed(v term.Verb) bool { return v.WritesPart() && !v.PostsPart() }
