package schema

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
)

// maxDepth bounds how deep an object is read: servers themselves refuse
// deeper ones, and a hostile one must not exhaust the stack.
const maxDepth = 200

// Leaf is one value of an object with its path.
type Leaf struct {
	Path  fieldpath.Path
	Value any
	// Semantic is the value in the form in which equal values are equal:
	// quantities and times in one spelling, any empty container as one.
	Semantic string
	// Malformed says that the kind publishes a quantity or a time there, and that the value is
	// invalid.
	Malformed bool
}

// Leaves is an object's values by the text of their paths.
type Leaves map[string]Leaf

// Leaves reads every value of an object. Nulls are absent, as they are to a
// server, unless the kind declares null as a value of the field. An empty map or list is a leaf of its own. Members that the kind does
// not declare are read too, their lists by index.
func (k Kind) Leaves(object map[string]any) Leaves {
	w := walker{kind: k, leaves: Leaves{}, room: maxText}
	w.visit(object, k.root, spot{})
	return w.leaves
}

type walker struct {
	kind   Kind
	leaves Leaves
	room   int // for the text of paths, see maxText
}

// spot is a path, with its text, and with the place in which the kind publishes it, if the spellings of values depend on
// places.
type spot struct {
	path       fieldpath.Path
	text       string
	published  gated // nowhere: the zero value
	undeclared bool  // the kind does not declare it, or what holds it; as long as spellings depend on places
}

// below returns the spot of a member of what is at a spot: a value of that type.
func (w *walker) below(at spot, atom smd.Atom, typeName string, e fieldpath.PathElement) spot {
	s := spot{path: extend(at.path, e), text: path.Below(at.text, e), undeclared: at.undeclared}
	if len(w.kind.spelled) == 0 || at.undeclared {
		return s
	}
	var declared bool
	s.published, declared = at.published.member(atom, typeName, e)
	s.undeclared = !declared
	return s
}

func (w *walker) visit(v any, ref smd.TypeRef, at spot) {
	atom, name, _ := w.kind.resolve(ref)
	switch t := v.(type) {
	case nil:
		if w.kind.TakesNull(at.path) {
			w.leaves[at.text] = Leaf{Path: at.path, Semantic: Null}
		}
	case map[string]any:
		if len(t) == 0 || !w.fits(len(t), at.path) {
			w.leaf(at, t, name)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(t)) {
			ref, _ := member(atom.Map, key)
			w.visit(t[key], ref, w.below(at, atom, name, fieldpath.PathElement{FieldName: &key}))
		}
	case []any:
		if len(t) == 0 || !w.fits(len(t), at.path) {
			w.leaf(at, t, name)
			return
		}
		var ref smd.TypeRef
		if atom.List != nil {
			ref = atom.List.ElementType
		}
		for i, e := range w.elements(t, atom.List) {
			w.visit(t[i], ref, w.below(at, atom, name, e))
		}
	default:
		w.leaf(at, t, name)
	}
}

func (w *walker) leaf(at spot, v any, typeName string) {
	if typeName == "" {
		typeName = w.kind.spelled[at.published]
	}
	text := semantic(v, typeName)
	w.leaves[at.text] = Leaf{Path: at.path, Value: v, Semantic: text, Malformed: malformed(text, typeName)}
}

// elements names a list's elements: by key where the list is a list-map, by
// value where it is a set, else by index. A list whose own content breaks
// that (a key missing or twice) is named by index throughout.
func (w *walker) elements(list []any, def *smd.List) []fieldpath.PathElement {
	named := make([]fieldpath.PathElement, len(list))
	seen := map[string]bool{}
	for i, item := range list {
		e, ok := w.element(item, def)
		if !ok {
			return byIndex(len(list))
		}
		text := e.String()
		if seen[text] {
			return byIndex(len(list))
		}
		seen[text] = true
		named[i] = e
	}
	return named
}

func (w *walker) element(item any, def *smd.List) (fieldpath.PathElement, bool) {
	if def == nil || def.ElementRelationship != smd.Associative {
		return fieldpath.PathElement{}, false
	}
	if len(def.Keys) == 0 {
		return setElement(item)
	}
	m, ok := item.(map[string]any)
	if !ok {
		return fieldpath.PathElement{}, false
	}
	var keys value.FieldList
	for _, key := range def.Keys {
		v, ok := w.key(m, key, def)
		if !ok {
			return fieldpath.PathElement{}, false
		}
		keys = append(keys, value.Field{Name: key, Value: value.NewValueInterface(v)})
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, true
}

// key returns the value of a list-map's key, or its declared default: a port
// without protocol is the TCP one.
func (w *walker) key(m map[string]any, key string, def *smd.List) (any, bool) {
	if v, ok := m[key]; ok && v != nil {
		return v, scalar(v)
	}
	atom, _, _ := w.kind.resolve(def.ElementType)
	if atom.Map == nil {
		return nil, false
	}
	field, ok := atom.Map.FindField(key)
	return field.Default, ok && field.Default != nil && scalar(field.Default)
}

func setElement(item any) (fieldpath.PathElement, bool) {
	if !scalar(item) {
		return fieldpath.PathElement{}, false
	}
	v := value.NewValueInterface(item)
	return fieldpath.PathElement{Value: &v}, true
}

func byIndex(n int) []fieldpath.PathElement {
	elements := make([]fieldpath.PathElement, n)
	for i := range elements {
		elements[i] = fieldpath.PathElement{Index: &i}
	}
	return elements
}

func scalar(v any) bool {
	switch v.(type) {
	case string, bool, int64, float64, int:
		return true
	}
	return false
}

func extend(at fieldpath.Path, e fieldpath.PathElement) fieldpath.Path {
	return append(at[:len(at):len(at)], e)
}

// Text is a value as a message shows it.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return compact(v)
}
