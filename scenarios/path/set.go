package path

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Set puts the value at the path, and creates missing parents: maps, lists, elements with a
// key, and the element right after a list's last. A nil value is a null; Remove removes a
// field. Set keeps the value, not a copy of it. It returns an error and does not change the
// object for a field of a value that is not a map, an element of a value that is not a list, an
// index past the end, or a value that contradicts the key or set element of its path.
func Set(obj map[string]any, p fieldpath.Path, v any) error {
	switch {
	case len(p) == 0:
		return fmt.Errorf("path %q: the whole object cannot be set", "")
	case len(p) > maxElements:
		return fmt.Errorf("path of %d elements: at most %d", len(p), maxElements)
	case obj == nil:
		return fmt.Errorf("path %q: there is no object", String(p))
	}
	_, err := set(obj, p, 0, v)
	return err
}

// set puts the value below node, at p[depth:], and returns the node that replaces it: a list
// that grows is a new list. It changes nothing before everything below has succeeded.
func set(node any, p fieldpath.Path, depth int, v any) (any, error) {
	if depth == len(p) {
		return v, nil
	}
	if p[depth].FieldName != nil {
		return setField(node, p, depth, v)
	}
	list, isList := node.([]any)
	if !isList && node != nil {
		return nil, mismatch(p, depth, "a list", node)
	}
	return setItem(list, p, depth, v)
}

func setField(node any, p fieldpath.Path, depth int, v any) (any, error) {
	fields, isMap := node.(map[string]any)
	if !isMap && node != nil {
		return nil, mismatch(p, depth, "a map", node)
	}
	name := *p[depth].FieldName
	child, err := set(fields[name], p, depth+1, v)
	if err != nil {
		return nil, err
	}
	if fields == nil {
		fields = map[string]any{}
	}
	fields[name] = child
	return fields, nil
}

func setItem(list []any, p fieldpath.Path, depth int, v any) (any, error) {
	i := Position(list, p[depth])
	if i < 0 && p[depth].Index == nil {
		i = len(list)
	}
	if i < 0 || i > len(list) {
		return nil, fmt.Errorf("path %q: index %d of a list of %d", String(p[:depth+1]), i, len(list))
	}
	item, err := newItem(list, i, p, depth, v)
	if err != nil {
		return nil, err
	}
	if i == len(list) {
		// Clipped, because the space behind the list may belong to another list.
		return append(slices.Clip(list), item), nil
	}
	list[i] = item
	return list, nil
}

// newItem returns the new item at index i of the list.
func newItem(list []any, i int, p fieldpath.Path, depth int, v any) (any, error) {
	e := p[depth]
	var old any
	switch {
	case i < len(list):
		old = list[i]
	case e.Key != nil:
		old = fieldsOf(*e.Key)
	case e.Value != nil && *e.Value != nil:
		old = (*e.Value).Unstructured()
	case e.Value == nil && e.Index == nil:
		return nil, fmt.Errorf("path %q: an element that selects nothing", String(p))
	}
	item, err := set(old, p, depth+1, v)
	if err != nil || i < len(list) && depth+1 < len(p) {
		return item, err // a field of an element may be its key: that renames it
	}
	return keyed(item, p, depth)
}

func fieldsOf(key value.FieldList) map[string]any {
	fields := make(map[string]any, len(key))
	for _, k := range key {
		if k.Value != nil && !k.Value.IsNull() {
			fields[k.Name] = k.Value.Unstructured()
		}
	}
	return fields
}

// keyed returns the item with the key of its path filled in, so that the path selects it
// afterwards.
func keyed(item any, p fieldpath.Path, depth int) (any, error) {
	e := p[depth]
	if e.Key == nil {
		if e.Value != nil && !selects(e, item) {
			return nil, fmt.Errorf("path %q: another value than the element's own", String(p[:depth+1]))
		}
		return item, nil
	}
	fields, isMap := item.(map[string]any)
	if !isMap {
		return nil, mismatch(p, depth+1, "a map", item)
	}
	whole := fieldsOf(*e.Key)
	maps.Copy(whole, fields)
	if !selects(e, whole) {
		return nil, fmt.Errorf("path %q: the value has another key", String(p[:depth+1]))
	}
	return whole, nil
}

// mismatch returns the error for a value at p[:depth] that is not of the type that p needs.
func mismatch(p fieldpath.Path, depth int, want string, node any) error {
	return fmt.Errorf("path %q: %q is %s, not %s", String(p), String(p[:depth]), kindOf(node), want)
}

func kindOf(node any) string {
	switch node.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64, float64:
		return "a number"
	}
	return fmt.Sprintf("a %T", node)
}
