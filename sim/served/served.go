package served

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Differences are the paths at which two objects differ, each as high up as the difference
// reaches. Elements of lists are compared by their position. A null is no difference to nothing, and
// none to an empty list.
type Differences struct {
	Hidden  []string // that the first object has, and the second has not
	Added   []string // that only the second one has
	Changed []string // that both have, with other values
}

// Compare compares two objects. It leaves out what a store writes by itself into the metadata:
// the resource version, the generation and who manages which field.
func Compare(first, second map[string]any) Differences {
	var d Differences
	d.compare(nil, withoutStores(first), withoutStores(second))
	return d
}

// withoutStores returns an object without what the store writes.
func withoutStores(object map[string]any) map[string]any {
	metadata, is := object["metadata"].(map[string]any)
	if !is {
		return object
	}
	metadata = maps.Clone(metadata)
	for _, name := range []string{"resourceVersion", "managedFields", "generation"} {
		delete(metadata, name)
	}
	object = maps.Clone(object)
	object["metadata"] = metadata
	return object
}

func (d *Differences) compare(at fieldpath.Path, first, second any) {
	switch f := first.(type) {
	case map[string]any:
		if other, same := second.(map[string]any); same {
			d.compareMembers(at, f, other)
			return
		}
	case []any:
		if other, same := second.([]any); same {
			d.compareMembers(at, byPosition(f), byPosition(other))
			return
		}
	}
	if !reflect.DeepEqual(first, second) {
		d.Changed = append(d.Changed, path.String(at))
	}
}

func (d *Differences) compareMembers(at fieldpath.Path, first, second map[string]any) {
	names := slices.Collect(maps.Keys(first))
	for name := range second {
		if _, both := first[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		f, inFirst := first[name]
		s, inSecond := second[name]
		below := append(at[:len(at):len(at)], elementOf(name))
		switch {
		case f == nil && s == nil: // a null is as good as nothing
		case inFirst && inSecond && empty(f) && empty(s): // protobuf has no empty lists: Go shows null instead
		case !inSecond:
			d.Hidden = append(d.Hidden, path.String(below))
		case !inFirst:
			d.Added = append(d.Added, path.String(below))
		default:
			d.compare(below, f, s)
		}
	}
}

// empty reports whether a value is null or a list without elements.
func empty(value any) bool {
	list, is := value.([]any)
	return value == nil || is && len(list) == 0
}

// position begins the name of an element of a list. No member of an object has such a name.
const position = "\x00"

// byPosition returns the elements of a list by their positions.
func byPosition(list []any) map[string]any {
	all := map[string]any{}
	for i, v := range list {
		all[fmt.Sprintf("%s%09d", position, i)] = v
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
