package fuzz

import (
	"context"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// mostShrinks is how many smaller objects are tried for one failure: fewer, where each has
// manifests installed to and fro.
func (t *traveller) mostShrinks() int {
	if t.turns != nil {
		return 25
	}
	return 300
}

// shrink drops from an object whatever it still fails without, and tells the last
// fact. An object that fails only after other places are visited stays as it is; shown is
// false of one that does not fail then either.
func (t *traveller) shrink(ctx context.Context, s shapes, root *spec.Schema, object map[string]any, f fact) (_ map[string]any, _ fact, shown bool, _ error) {
	tried := 0
	fails := func(o map[string]any, through ...place) (fact, bool, error) {
		tried++
		facts, err := t.travel(ctx, o, through)
		for _, found := range facts {
			if found.key() == f.key() {
				return found, true, nil
			}
		}
		return fact{}, false, err
	}
	last, ok, err := fails(object, f.through)
	if err == nil && !ok {
		_, ok, err = fails(object, t.places...)
		return object, f, ok, err
	}
	if err != nil {
		return object, f, false, err
	}
	for again := true; again; {
		again = false
		routes := routesOf(object)
		for i := 0; i < len(routes) && tried < t.mostShrinks(); i++ {
			smaller := copyOf(object)
			if _, required := s.formAt(root, object, routes[i]); required || !drop(smaller, routes[i]) {
				continue
			}
			found, still, err := fails(smaller, f.through)
			if err != nil {
				return object, last, true, err
			}
			if still { // what comes at this place now is another
				object, last, again = smaller, found, true
				routes = routesOf(object)
				i--
			}
		}
	}
	return object, last, true, nil
}
