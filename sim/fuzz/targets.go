package fuzz

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A schema has so many fields that chance hardly ever generates the few that are new in a
// release. So objects that are created through the new release get some of these. The seed,
// the kind and the number determine them, as the rest of the object.

// maxTargets is how many of those fields one object has.
const maxTargets = 3

// targetsOf returns the fields that one object should have.
func (l *lap) targetsOf(o Object, origin Place) []string {
	if origin.Role != term.New {
		return nil
	}
	all := l.freshAt(o.Kind, origin)
	if len(all) == 0 {
		return nil
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(o.Kind)) // never fails
	random := rand.New(rand.NewPCG(uint64(l.config.Seed)^sum.Sum64(), uint64(o.Number)))
	var targets []string
	for range maxTargets {
		targets = append(targets, all[random.IntN(len(all))])
	}
	return SortedUnique(targets)
}
