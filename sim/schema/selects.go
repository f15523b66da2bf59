package schema

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Selects reports whether an element of a path can select an element of the list at another
// path: by keys, if its elements have fields of those names; by value, if they are plain
// values. A free-form list may contain anything.
func (k Kind) Selects(list fieldpath.Path, e fieldpath.PathElement) bool {
	atom, ok := k.at(list)
	if !ok || freeForm(atom) {
		return freeForm(atom)
	}
	if atom.List == nil {
		return false
	}
	item, _, ok := k.resolve(atom.List.ElementType)
	switch {
	case !ok || freeForm(item) || e.Key == nil && e.Value == nil:
		return true
	case e.Value != nil:
		return item.Scalar != nil
	}
	for _, key := range *e.Key {
		if _, declared := member(item.Map, key.Name); !declared {
			return false
		}
	}
	return true
}

// Names reports whether an element of a path is how Leaves names one of the list at another
// path: by the list's own keys, or by value if the list is a set. An index is valid for any
// list with missing or duplicate keys.
func (k Kind) Names(list fieldpath.Path, e fieldpath.PathElement) bool {
	atom, ok := k.at(list)
	if !ok || freeForm(atom) {
		return freeForm(atom)
	}
	keys, associative := keysOf(atom)
	switch {
	case e.Key == nil && e.Value == nil:
		return atom.List != nil
	case e.Value != nil:
		return associative && len(keys) == 0
	}
	var given []string
	for _, key := range *e.Key {
		given = append(given, key.Name)
	}
	return associative && slices.Equal(slices.Sorted(slices.Values(given)), keys)
}

// ElementForm is how Leaves names the elements of the list at a path, as a user writes
// it: [name=...], [=...] of a set, [0] of a plain list. "" where no list is published.
func (k Kind) ElementForm(list fieldpath.Path) string {
	atom, ok := k.at(list)
	keys, associative := keysOf(atom)
	switch {
	case !ok || atom.List == nil:
		return ""
	case !associative:
		return "[0]"
	case len(keys) == 0:
		return "[=...]"
	}
	return "[" + strings.Join(keys, "=...,") + "=...]"
}

// keysOf are the keys of a list-map, sorted; none of a set.
func keysOf(atom smd.Atom) (keys []string, associative bool) {
	if atom.List == nil || atom.List.ElementRelationship != smd.Associative {
		return nil, false
	}
	return slices.Sorted(slices.Values(atom.List.Keys)), true
}
