package schema

import (
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
	at, ref := gated{}, k.root
	for _, e := range p {
		atom, name, _ := k.resolve(ref)
		next, declared := at.member(atom, name, e)
		if !declared {
			break
		}
		at, all = next, append(all, next)
		ref, _ = step(atom, e)
	}
	return all
}

// gated is a place inside a published definition: .field, or [] for whatever a
// list or a map holds.
type gated struct{ definition, place string }

// member returns the place of a member of a value. The place is that of the value, and the type the value's own. It returns
// false if the type does not declare the member.
func (g gated) member(atom smd.Atom, typeName string, e fieldpath.PathElement) (gated, bool) {
	if _, declared := step(atom, e); !declared {
		return gated{}, false
	}
	if typeName != "" {
		g = gated{definition: typeName}
	}
	return gated{g.definition, g.place + place(atom, e)}, true
}

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

// valueGates are the gates of single values, of all definitions, by the values' texts.
type valueGates map[gated]map[string][]Guard

// gatesOf reads every definition of a document.
func gatesOf(definitions map[string]*spec.Schema) (gates, valueGates) {
	ofFields, ofValues := gates{}, valueGates{}
	eachField(definitions, func(at gated, s *spec.Schema) {
		name := at.place[strings.LastIndex(at.place, ".")+1:]
		if guards := GuardsOf(name, s); len(guards) > 0 {
			ofFields[at] = guards
		}
		if guards := GuardsOfValues(name, s); len(guards) > 0 {
			ofValues[at] = guards
		}
	})
	return ofFields, ofValues
}

// GuardsOf returns the gates that a release publishes of one field, by its name: those of its
// lifecycle, or else those its description says it requires.
func GuardsOf(name string, s *spec.Schema) []Guard {
	var all []Guard
	for _, l := range lifecyclesOf(s.Extensions[LifecycleKey]) {
		if l.FeatureGate != "" {
			all = append(all, Guard{l.FeatureGate, term.FromLifecycle})
		}
	}
	if len(all) > 0 || s.Description == "" {
		return all
	}
	return fromDescription(gatesDescribed(name, s).ofField)
}

// GuardsOfValues returns the gates that the description of a field says single values require, by
// value.
func GuardsOfValues(name string, s *spec.Schema) map[string][]Guard {
	if s.Description == "" {
		return nil
	}
	all := map[string][]Guard{}
	for value, names := range gatesDescribed(name, s).ofValues {
		all[value] = fromDescription(names)
	}
	return all
}

// GatesOfParts returns the gates that the description of a field says a value, a member or a use of
// the field requires, and not the field itself.
func GatesOfParts(name string, s *spec.Schema) []string {
	described := gatesDescribed(name, s)
	all := described.ofParts
	for _, names := range described.ofValues {
		all = append(all, names...)
	}
	return slices.DeleteFunc(sortedOnce(all), func(gate string) bool { return slices.Contains(described.ofField, gate) })
}

func fromDescription(names []string) (all []Guard) {
	for _, name := range names {
		all = append(all, Guard{name, term.FromDescription})
	}
	return all
}
