package schema

import (
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Named finds what a server means by the name of a field in its errors, such as
// spec.devices[0].attributes[models]: its path in the object, and the values there and
// below. False: the object has no such place.
func (k Kind) Named(object map[string]any, field string) (fieldpath.Path, Leaves, bool) {
	w := walker{kind: k, leaves: Leaves{}, room: maxText}
	var v any = object
	ref, at := k.root, spot{}
	for _, name := range path.Members(field) {
		var ok bool
		if v, ref, at, ok = w.into(v, ref, at, name); !ok {
			return nil, nil, false
		}
	}
	w.visit(v, ref, at)
	return at.path, w.leaves, true
}

// Keyed returns a path as [Kind.Leaves] names it in an object: with the keys and values of the elements of lists
// in place of their indices, as far as the object has the elements.
func (k Kind) Keyed(object map[string]any, p fieldpath.Path) fieldpath.Path {
	w := walker{kind: k}
	var v any = object
	keyed, ref, at := slices.Clone(p), k.root, spot{}
	for i, e := range p {
		var name string
		switch list, is := v.([]any); {
		case is:
			name = strconv.Itoa(path.Position(list, e))
		case e.FieldName != nil:
			name = *e.FieldName
		}
		var there bool
		if v, ref, at, there = w.into(v, ref, at, name); !there {
			break
		}
		if e.Index != nil {
			keyed[i] = at.path[i]
		}
	}
	return keyed
}

// into is the member of a map, or the element of a list, that goes by a name.
func (w *walker) into(v any, ref smd.TypeRef, at spot, name string) (any, smd.TypeRef, spot, bool) {
	atom, typeName, _ := w.kind.resolve(ref)
	switch t := v.(type) {
	case map[string]any:
		inner, has := t[name]
		next, _ := member(atom.Map, name)
		return inner, next, w.below(at, atom, typeName, fieldpath.PathElement{FieldName: &name}), has
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(t) {
			break
		}
		var next smd.TypeRef
		if atom.List != nil {
			next = atom.List.ElementType
		}
		return t[i], next, w.below(at, atom, typeName, w.elements(t, atom.List)[i]), true
	}
	return nil, smd.TypeRef{}, spot{}, false
}
