package search

import (
	"github.com/skewsim/skewsim/sim/objects"
	"maps"
	"slices"
)

// drops returns what can be dropped to satisfy a complaint: the place, if the target does not
// need it; siblings of the way to the target; the containers of the place.
func (f *fixer) drops(there bool) (all []option) {
	cost := costOfSibling
	if f.c.missing {
		cost = 3 * costOfSibling
	}
	for at := objects.Known(f.t.object, f.c.at); len(at) > 1; at = at[:len(at)-1] {
		if _, required := f.kind.SchemaAt(f.t.object, at); !required && !f.t.onWay(at) {
			all = append(all, option{cost + f.costOfDrop(at), without(at)})
		}
		cost += costOfSibling
	}
	return append(all, f.siblings()...)
}

// siblings drops members beside the way to the target, the deepest first: all but one member
// of a union.
func (f *fixer) siblings() (all []option) {
	if len(f.t.at) == 0 || !f.t.onWay(objects.Known(f.t.object, f.c.at)) && !f.t.onWay(f.c.at[:max(0, len(f.c.at)-1)]) && len(f.c.at) > 0 {
		return nil
	}
	base := costOfSibling
	if f.c.forbids || f.c.oneOf {
		base = 0
	}
	for n := len(f.t.at) - 1; n >= 1; n-- {
		container, _ := objects.Get(f.t.object, f.t.at[:n])
		fields, is := container.(map[string]any)
		if !is {
			continue
		}
		near := costOfSibling * float64(min(max(n-len(f.c.at), len(f.c.at)-1-n, 0), 4)) / 2
		together := []change{}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			at := f.t.at[:n].With(name)
			if _, required := f.kind.SchemaAt(f.t.object, at); required || name == f.t.at[n] {
				continue
			}
			all = append(all, option{base + near + order2(!f.c.words.mentions(name), costOfSibling), without(at)})
			if nameAt(at) != "name" {
				together = append(together, without(at))
			}
		}
		if len(together) > 1 {
			all = append(all, option{base + near + costOfSibling, every(together)})
		}
	}
	return all
}

func order2(yes bool, cost float64) float64 {
	if yes {
		return cost
	}
	return 0
}

// every makes all changes that can be made.
func every(all []change) change {
	return func(t *attempt) bool {
		made := false
		for _, change := range all {
			made = change(t) || made
		}
		return made
	}
}
