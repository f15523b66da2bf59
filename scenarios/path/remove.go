package path

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Remove removes the value at the path, and reports whether there was one. It keeps the maps
// and lists above it, even when they become empty. It removes all list elements with equal keys
// or values.
func Remove(obj map[string]any, p fieldpath.Path) bool {
	if len(p) == 0 || len(p) > maxElements {
		return false
	}
	_, removed := remove(obj, p)
	return removed
}

// remove returns the node that replaces the given one: a list that shrinks is a new list.
func remove(node any, p fieldpath.Path) (any, bool) {
	child, found := step(node, p[0])
	if !found {
		return node, false
	}
	if len(p) == 1 {
		return without(node, p[0]), true
	}
	child, removed := remove(child, p[1:])
	if list, isList := child.([]any); isList {
		replace(node, p[0], list)
	}
	return node, removed
}

// without returns the node without an element that step found in it.
func without(node any, e fieldpath.PathElement) any {
	list, isList := node.([]any)
	if !isList {
		delete(node.(map[string]any), *e.FieldName)
		return node
	}
	i := Position(list, e)
	rest := append(make([]any, 0, len(list)), list[:i]...)
	rest = append(rest, list[i+1:]...)
	return slices.DeleteFunc(rest, func(item any) bool { return selects(e, item) })
}

// replace puts a list back where step found it. Maps change in place: step might not find them
// by their key again.
func replace(node any, e fieldpath.PathElement, list []any) {
	switch n := node.(type) {
	case map[string]any:
		n[*e.FieldName] = list
	case []any:
		n[*e.Index] = list // a list has neither key nor value to find it by
	}
}
