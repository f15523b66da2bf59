package path

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Contains reports whether p is equal to or below prefix. The empty prefix contains every path.
func Contains(prefix, p fieldpath.Path) bool {
	if len(prefix) > len(p) {
		return false
	}
	for i := range prefix {
		if !same(prefix[i], p[i]) {
			return false
		}
	}
	return true
}

// same reports whether two elements print alike. It compares fields, the most common elements,
// without printing them.
func same(a, b fieldpath.PathElement) bool {
	if a.FieldName != nil && b.FieldName != nil {
		return *a.FieldName == *b.FieldName
	}
	return String(fieldpath.Path{a}) == String(fieldpath.Path{b})
}

// Get returns the value at the path, not a copy, and whether there is one. A null counts as a
// value. Among list elements with equal keys it takes the first, as API servers do.
func Get(obj map[string]any, p fieldpath.Path) (any, bool) {
	var node any = obj
	for _, e := range p {
		child, found := step(node, e)
		if !found {
			return nil, false
		}
		node = child
	}
	return node, true
}

// step goes down one element.
func step(node any, e fieldpath.PathElement) (any, bool) {
	switch n := node.(type) {
	case map[string]any:
		if e.FieldName == nil {
			return nil, false
		}
		child, found := n[*e.FieldName]
		return child, found
	case []any:
		if i := Position(n, e); i >= 0 && i < len(n) {
			return n[i], true
		}
	}
	return nil, false
}

// Indexed returns the path with the positions of list elements in place of their keys and values, as far
// as an object has the elements: one element has one such path, however a list knows its elements.
func Indexed(obj map[string]any, p fieldpath.Path) fieldpath.Path {
	indexed := make(fieldpath.Path, len(p))
	var node any = obj
	for i, e := range p {
		indexed[i] = e
		if list, is := node.([]any); is && e.Index == nil && e.FieldName == nil {
			if at := Position(list, e); at >= 0 {
				indexed[i] = fieldpath.PathElement{Index: &at}
			}
		}
		node, _ = step(node, indexed[i])
	}
	return indexed
}

// Position returns the index of the element in the list, or -1. It returns an index element
// unchanged.
func Position(list []any, e fieldpath.PathElement) int {
	if e.FieldName == nil && e.Key == nil && e.Value == nil && e.Index != nil {
		return *e.Index
	}
	for i, item := range list {
		if selects(e, item) {
			return i
		}
	}
	return -1
}

// selects reports whether the element selects the item by its key or its value.
func selects(e fieldpath.PathElement, item any) bool {
	switch {
	case e.FieldName != nil:
		return false
	case e.Key != nil:
		fields, isMap := item.(map[string]any)
		return isMap && hasKey(fields, *e.Key)
	case e.Value != nil:
		return isScalar(item) && equal(item, *e.Value)
	}
	return false
}

// hasKey reports whether the fields match the key. Fields without a name match a null key,
// because null and absent mean the same to API servers.
func hasKey(fields map[string]any, key value.FieldList) bool {
	for _, k := range key {
		field := fields[k.Name]
		if !isScalar(field) || !equal(field, k.Value) {
			return false
		}
	}
	return len(key) > 0
}

// isScalar excludes composite and foreign values, which structured-merge-diff allows neither as
// keys nor in sets.
func isScalar(v any) bool {
	switch v.(type) {
	case nil, bool, string, int64, float64:
		return true
	}
	return false
}

func equal(scalar any, v value.Value) bool {
	if v == nil {
		return scalar == nil
	}
	return value.Equals(value.NewValueInterface(scalar), v)
}
