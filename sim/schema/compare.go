package schema

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Differences are the paths at which two objects of a kind differ, each as high up as the difference
// reaches. A null is no difference to nothing, and none to an empty list.
type Differences struct {
	Hidden  []string // that the first object has, and the second has not
	Added   []string // that only the second one has
	Changed []string // that both have, with other values
}

// Compare compares what servers show of two objects, by meaning, as [Kind.Leaves] does: elements of keyed lists by
// their keys, those of sets by their values, and quantities and times in any spelling. The zero Kind compares
// elements by position, and values as they are. What a store writes into the metadata by itself is left out: the
// resource version, the generation and who manages which field.
func (k Kind) Compare(first, second map[string]any) Differences {
	c := comparison{walker: walker{kind: k}}
	c.values(k.root, nil, withoutStores(first), withoutStores(second))
	return c.Differences
}

type comparison struct {
	walker
	Differences
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

func (c *comparison) values(ref smd.TypeRef, at fieldpath.Path, first, second any) {
	atom, name, _ := c.kind.resolve(ref)
	switch f := first.(type) {
	case map[string]any:
		if s, same := second.(map[string]any); same {
			c.members(atom.Map, at, f, s)
			return
		}
	case []any:
		if s, same := second.([]any); same {
			c.lists(atom.List, at, f, s)
			return
		}
	}
	if name == "" {
		name = c.kind.spelledAt(at)
	}
	if semantic(first, name) != semantic(second, name) {
		c.Changed = append(c.Changed, path.String(at))
	}
}

func (c *comparison) members(def *smd.Map, at fieldpath.Path, first, second map[string]any) {
	names := slices.Collect(maps.Keys(first))
	for name := range second {
		if _, both := first[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		ref, _ := member(def, name)
		f, inFirst := first[name]
		s, inSecond := second[name]
		c.pair(ref, extend(at, fieldpath.FieldNameElement(name)), side{f, inFirst}, side{s, inSecond})
	}
}

func (c *comparison) lists(def *smd.List, at fieldpath.Path, first, second []any) {
	var ref smd.TypeRef
	if def != nil {
		ref = def.ElementType
	}
	named, others := c.elements(first, def), c.elements(second, def)
	if isByIndex(named) != isByIndex(others) {
		named, others = byIndex(len(first)), byIndex(len(second))
	}
	left := map[string]int{} // positions in second
	for i, e := range others {
		left[e.String()] = i
	}
	for i, e := range named {
		j, both := left[e.String()]
		s := side{nil, both}
		if both {
			s.value = second[j]
			delete(left, e.String())
		}
		c.pair(ref, extend(at, e), side{first[i], true}, s)
	}
	for _, i := range slices.Sorted(maps.Values(left)) {
		c.pair(ref, extend(at, others[i]), side{}, side{second[i], true})
	}
}

func isByIndex(elements []fieldpath.PathElement) bool {
	return len(elements) > 0 && elements[0].Index != nil
}

// side is what one of two objects has at a path.
type side struct {
	value any
	has   bool
}

func (c *comparison) pair(ref smd.TypeRef, at fieldpath.Path, first, second side) {
	switch {
	case first.value == nil && second.value == nil: // a null is as good as nothing
	case first.has && second.has && isNothing(first.value) && isNothing(second.value): // protobuf has no empty lists: Go shows null instead
	case !second.has:
		c.Hidden = append(c.Hidden, path.String(at))
	case !first.has:
		c.Added = append(c.Added, path.String(at))
	default:
		c.values(ref, at, first.value, second.value)
	}
}

// isNothing reports whether a value is null or a list without elements.
func isNothing(v any) bool {
	list, is := v.([]any)
	return v == nil || is && len(list) == 0
}
