package objects

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Fields returns the fields that a release publishes for a kind, except metadata and
// subresources, such as .spec.parts[].weight, where [] are the elements of a list and the
// entries of a map.
func (k Kind) Fields() map[string]bool {
	w := k.walk()
	w.visit(k.root, nil, false, "", nil)
	return w.fields
}

// FieldsOf returns the kind's fields that an object has.
func (k Kind) FieldsOf(object map[string]any) map[string]bool {
	w := k.walk()
	w.visit(k.root, object, true, "", nil)
	return w.fields
}

// IsWithin reports whether a field is within another.
func IsWithin(field, outer string) bool {
	return strings.HasPrefix(field, outer+".") || strings.HasPrefix(field, outer+"[")
}

// below returns the path of a member of a field.
func below(field, name string) string { return path.Below(field, fieldpath.FieldNameElement(name)) }

// leadsToTarget reports whether a member of the value that is being generated is a target,
// or holds one.
func (g *generator) leadsToTarget(name string) bool { return g.isTarget(below(g.here, name)) }

// isTarget reports whether a field is a target, or holds one. A value that was refused is
// generated again without targets.
func (g *generator) isTarget(field string) bool {
	return !g.plain && slices.ContainsFunc(g.targets, func(target string) bool { return target == field || IsWithin(target, field) })
}

// fieldWalk collects the fields of a schema, or only those that an object has.
type fieldWalk struct {
	definitions Definitions
	fields      map[string]bool
	skip        []string // members of the object that are not walked
}

func (k Kind) walk() *fieldWalk {
	return &fieldWalk{k.definitions, map[string]bool{}, append([]string{"apiVersion", "kind", "metadata"}, k.Subresources...)}
}

// visit walks a schema, each definition that holds itself once. With has, it walks only the
// fields that the value has.
func (w *fieldWalk) visit(at *spec.Schema, value any, has bool, field string, above []string) {
	if at == nil {
		return
	}
	at, name := w.definitions.Resolve(at)
	if at == nil || !has && name != "" && slices.Contains(above, name) {
		return
	}
	above = append(above[:len(above):len(above)], name)
	switch {
	case len(at.Properties) > 0:
		w.members(at, value, has, field, above)
	case at.Items != nil && at.Items.Schema != nil:
		list, _ := value.([]any)
		w.elements(at.Items.Schema, slices.Values(list), has, field, above)
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		entries, _ := value.(map[string]any)
		w.elements(at.AdditionalProperties.Schema, maps.Values(entries), has, field, above)
	}
}

func (w *fieldWalk) members(at *spec.Schema, value any, has bool, field string, above []string) {
	present, _ := value.(map[string]any)
	for name, schema := range at.Properties {
		member, is := present[name]
		if has && !is || field == "" && slices.Contains(w.skip, name) {
			continue
		}
		here := below(field, name)
		w.fields[here] = true
		w.visit(&schema, member, has, here, above)
	}
}

func (w *fieldWalk) elements(schema *spec.Schema, all iter.Seq[any], has bool, field string, above []string) {
	if !has {
		w.visit(schema, nil, false, field+"[]", above)
		return
	}
	for element := range all {
		w.visit(schema, element, true, field+"[]", above)
	}
}
