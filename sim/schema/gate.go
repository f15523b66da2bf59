package schema

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Gates returns the names of the path's [Kind.Guards].
func (k Gating) Gates(p fieldpath.Path) []string {
	var needed []string
	for _, g := range k.Guards(p) {
		needed = append(needed, g.Gate)
	}
	return needed
}

// along are the places that a path leads through, from the top of the object down,
// as far as they are published.
func (k Kind) along(p fieldpath.Path) []gated {
	var all []gated
	definition, inner := "", ""
	ref := k.root
	for _, e := range p {
		atom, name, _ := k.resolve(ref)
		if name != "" {
			definition, inner = name, ""
		}
		next, declared := step(atom, e)
		if !declared {
			break
		}
		ref = next
		inner += place(atom, e)
		all = append(all, gated{definition, inner})
	}
	return all
}

// gated is a place inside a published definition: .field, or [] for whatever a
// list or a map holds.
type gated struct{ definition, place string }

// gates are the gates of all definitions. They are all that is kept of the descriptions, which
// are most of what a release publishes.
type gates map[gated][]Guard

// place is how a path goes on inside a definition: by name into a struct, and
// else into any of the members, which are all alike.
func place(atom smd.Atom, e fieldpath.PathElement) string {
	if e.FieldName != nil && atom.Map != nil {
		if _, ok := atom.Map.FindField(*e.FieldName); ok {
			return "." + *e.FieldName
		}
	}
	return "[]"
}

// gatesOf reads every definition of a document.
func gatesOf(definitions map[string]*spec.Schema) gates {
	found := gates{}
	eachField(definitions, func(at gated, s *spec.Schema) {
		if guards := GuardsOf(s); len(guards) > 0 {
			found[at] = guards
		}
	})
	return found
}

// GuardsOf returns the gates that a release publishes of one field: those of its lifecycle, or else those its
// description says it requires.
func GuardsOf(s *spec.Schema) []Guard {
	var all []Guard
	for _, l := range lifecyclesOf(s.Extensions[LifecycleKey]) {
		if l.FeatureGate != "" {
			all = append(all, Guard{l.FeatureGate, term.FromLifecycle})
		}
	}
	if len(all) > 0 {
		return all
	}
	// What is said of one value of an enum is not said of the field.
	ofField, _, _ := strings.Cut(s.Description, "Possible enum values:")
	var names []string
	for _, pattern := range requirements() {
		for _, m := range pattern.FindAllStringSubmatch(ofField, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		all = append(all, Guard{name, term.FromDescription})
	}
	return all
}

var (
	requires = regexp.MustCompile(`(?i:\brequir(?:es|ing)|\bgated by|\bdepends on|\benabl(?:es?|ing))\s+(?:(?:that|enabling|the)\s+)*` +
		"[`\"]?([A-Z][A-Za-z0-9]+)[`\"]?" + `\s+(?i:feature[\s-]?gates?)\b`)
	must = regexp.MustCompile("[`\"]?([A-Z][A-Za-z0-9]+)[`\"]?" + `\s+(?i:feature[\s-]?gate)\s+must be enabled`)
)

// requirements are the sentences by which descriptions say that a field needs a
// gate. What merely happens "when the gate is enabled" is no need of the field.
func requirements() []*regexp.Regexp { return []*regexp.Regexp{requires, must} }
