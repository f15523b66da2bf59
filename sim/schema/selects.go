package schema

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Selects tells whether an element of a path can mean one of the list that is at
// another: by keys, its elements have fields of those names; by value, they are plain
// values. What takes anything may hold anything.
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

// Names tells whether an element of a path is how Leaves names one of the list that is
// at another: by the list's own keys, by value where the list is a set. By index it
// names elements of any list, where keys are missing or given twice.
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
