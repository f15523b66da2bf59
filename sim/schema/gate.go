package schema

import (
	"maps"
	"regexp"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Gates returns the feature gates that the kind's published form says the path
// needs, from the top of the object down. None says nothing: most servers tell
// of gates in a field's description alone, if at all.
func (k Kind) Gates(p fieldpath.Path) []string {
	var needed []string
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
		needed = append(needed, k.gates[gated{definition, inner}]...)
	}
	return slices.Compact(needed)
}

// gated is a place inside a published definition: .field, or [] for whatever a
// list or a map holds.
type gated struct{ definition, place string }

// gates are those that definitions tell of. Only they are kept of the
// descriptions, which are most of what a release publishes.
type gates map[gated][]string

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
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		found.read(name, "", definitions[name], 0)
	}
	return found
}

// read notes the gates of a definition's members, and of what is inlined below
// them. What is referred to is a definition of its own.
func (g gates) read(definition, at string, s *spec.Schema, depth int) {
	if s == nil || depth > maxDepth {
		return
	}
	for name := range s.Properties {
		member := s.Properties[name]
		here := at + "." + name
		if names := gatesIn(&member); len(names) > 0 {
			g[gated{definition, here}] = names
		}
		g.read(definition, here, &member, depth+1)
	}
	if s.Items != nil {
		g.read(definition, at+"[]", s.Items.Schema, depth+1)
	}
	if s.AdditionalProperties != nil {
		g.read(definition, at+"[]", s.AdditionalProperties.Schema, depth+1)
	}
}

// lifecycle is the extension by which an API server publishes, of a field, since
// when it exists, how stable it is, and its gate.
const lifecycle = "x-kubernetes-api-lifecycle"

// gatesIn are the gates of one field: those of its lifecycle, or else those its
// description says it requires.
func gatesIn(s *spec.Schema) []string {
	if names := gatesOfLifecycle(s.Extensions[lifecycle]); len(names) > 0 {
		return names
	}
	var names []string
	for _, pattern := range requirements() {
		for _, m := range pattern.FindAllStringSubmatch(s.Description, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// gatesOfLifecycle reads one lifecycle, or a list of them: a field can have had several.
func gatesOfLifecycle(v any) []string {
	switch v := v.(type) {
	case map[string]any:
		if name, _ := v["featureGate"].(string); name != "" {
			return []string{name}
		}
	case []any:
		var names []string
		for _, one := range v {
			names = append(names, gatesOfLifecycle(one)...)
		}
		return names
	}
	return nil
}

var (
	requires = regexp.MustCompile(`(?i:\brequir(?:es|ing)|\bgated by|\bdepends on|\benabl(?:es?|ing))\s+(?:(?:that|enabling|the)\s+)*` +
		"[`\"]?([A-Z][A-Za-z0-9]+)[`\"]?" + `\s+(?i:feature[\s-]?gates?)\b`)
	must = regexp.MustCompile("[`\"]?([A-Z][A-Za-z0-9]+)[`\"]?" + `\s+(?i:feature[\s-]?gate)\s+must be enabled`)
)

// requirements are the sentences by which descriptions say that a field needs a
// gate. What merely happens "when the gate is enabled" is no need of the field.
func requirements() []*regexp.Regexp { return []*regexp.Regexp{requires, must} }
