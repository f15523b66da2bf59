package storedbytes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// position begins the name of an element of a list. No member of an object has such a name.
const position = "\x00"

// byPosition returns the elements of a list by their positions.
func byPosition(list []any) map[string]any {
	all := map[string]any{}
	for i, v := range list {
		all[position+strconv.Itoa(i)] = v
	}
	return all
}

// elementOf returns the element of a path for a member of an object or list.
func elementOf(name string) fieldpath.PathElement {
	if digits, is := strings.CutPrefix(name, position); is {
		i, _ := strconv.Atoi(digits) // byPosition wrote them
		return fieldpath.PathElement{Index: &i}
	}
	return fieldpath.FieldNameElement(name)
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }
