package schema

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Declares reports whether the kind's published schema has the path. A kind that is not
// published declares nothing.
func (k Kind) Declares(p fieldpath.Path) bool {
	atom, ok := k.at(p)
	return ok || freeForm(atom)
}

// at returns the type at a path; or false with the last type, if the path leaves what is
// published.
func (k Kind) at(p fieldpath.Path) (smd.Atom, bool) {
	atom, _, ok := k.resolve(k.root)
	for _, e := range p {
		ref, declared := step(atom, e)
		if !declared {
			return atom, false
		}
		atom, _, ok = k.resolve(ref)
	}
	return atom, ok
}

// Scalar is the type of the plain value that the kind publishes for the path:
// string, numeric, boolean, or untyped. Empty where it publishes none there.
func (k Kind) Scalar(p fieldpath.Path) string {
	atom, ok := k.at(p)
	if !ok || atom.Scalar == nil {
		return ""
	}
	return string(*atom.Scalar)
}

// Fields are the names of the fields that the kind publishes right below a path;
// none, where no struct is there.
func (k Kind) Fields(p fieldpath.Path) []string {
	atom, ok := k.at(p)
	if !ok || atom.Map == nil {
		return nil
	}
	names := make([]string, len(atom.Map.Fields))
	for i, field := range atom.Map.Fields {
		names[i] = field.Name
	}
	return names
}

// Default returns the default that the kind publishes for the path.
func (k Kind) Default(p fieldpath.Path) (any, bool) {
	if len(p) == 0 || p[len(p)-1].FieldName == nil {
		return nil, false
	}
	atom, ok := k.at(p[:len(p)-1])
	if !ok || atom.Map == nil {
		return nil, false
	}
	field, ok := atom.Map.FindField(*p[len(p)-1].FieldName)
	return field.Default, ok && field.Default != nil
}

// DefaultsAbove returns what the defaults of the structs, lists and maps around a path have at it, the nearest first: a
// server that sets such a default fills in all that it holds.
func (k Kind) DefaultsAbove(p fieldpath.Path) (all []any) {
	for above := len(p) - 1; above > 0; above-- {
		whole, has := k.Default(p[:above])
		if !has {
			continue
		}
		of := p[above-1 : above]
		if value, holds := path.Get(map[string]any{*of[0].FieldName: whole}, slices.Concat(of, p[above:])); holds {
			all = append(all, value)
		}
	}
	return all
}

func step(atom smd.Atom, e fieldpath.PathElement) (smd.TypeRef, bool) {
	if e.FieldName != nil {
		return member(atom.Map, *e.FieldName)
	}
	if atom.List == nil {
		return smd.TypeRef{}, false
	}
	return atom.List.ElementType, true
}

// freeForm reports whether a type accepts anything: what OpenAPI leaves untyped (a
// RawExtension, an object without properties among Go types).
func freeForm(atom smd.Atom) bool {
	return atom.Scalar != nil && *atom.Scalar == "untyped"
}

// Prune returns a copy of the object without the members that the kind does not declare, and the
// paths that it dropped.
func (k Kind) Prune(object map[string]any) (map[string]any, []fieldpath.Path) {
	p := pruner{kind: k}
	pruned, _ := p.visit(object, k.root, nil).(map[string]any)
	return pruned, p.dropped
}

// Decode returns a copy of the object as a client with types of the kind decodes it. It
// approximates real types: OpenAPI does not say which empty values a type omits.
func (k Kind) Decode(object map[string]any) map[string]any {
	p := pruner{kind: k, typed: true}
	decoded, _ := p.visit(object, k.root, nil).(map[string]any)
	return decoded
}

type pruner struct {
	kind    Kind
	dropped []fieldpath.Path
	// typed reports that clients' types are meant. A definition that is generated from Go types
	// publishes their metadata as an object without fields, and only servers prune it.
	typed bool
}

func (p *pruner) visit(v any, ref smd.TypeRef, at fieldpath.Path) any {
	atom, _, known := p.kind.resolve(ref)
	if !known || len(at) > maxDepth || freeForm(atom) {
		return v
	}
	switch t := v.(type) {
	case map[string]any:
		return p.visitMap(t, atom.Map, at)
	case []any:
		return p.visitList(t, atom.List, at)
	}
	return v
}

func (p *pruner) visitMap(m map[string]any, def *smd.Map, at fieldpath.Path) any {
	if def == nil || p.typed && isMetadata(at) && declaresNothing(def) {
		return m
	}
	kept := make(map[string]any, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		here := extend(at, fieldpath.PathElement{FieldName: &key})
		ref, declared := member(def, key)
		if !declared {
			p.dropped = append(p.dropped, here)
			continue
		}
		kept[key] = p.visit(m[key], ref, here)
	}
	return kept
}

func isMetadata(p fieldpath.Path) bool {
	return len(p) > 0 && p[len(p)-1].FieldName != nil && *p[len(p)-1].FieldName == "metadata"
}

func declaresNothing(def *smd.Map) bool {
	return len(def.Fields) == 0 && def.ElementType == (smd.TypeRef{})
}

func (p *pruner) visitList(list []any, def *smd.List, at fieldpath.Path) any {
	if def == nil {
		return list
	}
	kept := make([]any, len(list))
	for i, item := range list {
		kept[i] = p.visit(item, def.ElementType, extend(at, fieldpath.PathElement{Index: &i}))
	}
	return kept
}

// Member reports whether a path leads to an element of a list or an entry of a map, not to a
// field of a struct.
func (k Kind) Member(p fieldpath.Path) bool {
	if len(p) == 0 {
		return false
	}
	if p[len(p)-1].FieldName == nil {
		return true
	}
	atom, ok := k.at(p[:len(p)-1])
	if !ok || atom.Map == nil {
		return false
	}
	_, field := atom.Map.FindField(*p[len(p)-1].FieldName)
	return !field && atom.Map.ElementType != (smd.TypeRef{})
}
