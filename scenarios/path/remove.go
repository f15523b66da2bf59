package path

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Remove takes away what is at the path, and tells whether there was anything.
// It leaves the maps and lists above it, even when they become empty. Of list
// elements with equal keys or values it takes all.
func Remove(obj map[string]any, p fieldpath.Path) bool {
	if len(p) == 0 || len(p) > maxElements {
		return false
	}
	_, removed := remove(obj, p)
	return removed
}

// remove returns what is to stand in node's place: lists move when they shrink.
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

// without returns the node, which step found the element in, less the element.
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

// replace puts a list back where step found it. Maps change in place, and
// might no longer be found by their key.
func replace(node any, e fieldpath.PathElement, list []any) {
	switch n := node.(type) {
	case map[string]any:
		n[*e.FieldName] = list
	case []any:
		n[*e.Index] = list // a list has neither key nor value to be found by
	}
}
