package fuzz

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// A form has so many fields that chance hardly ever makes the few that came with a release.
// So objects that are created through the new release aim at some of these. They are drawn by
// the seed, the kind and the number, as the rest of the object is.

// mostAims is how many fields one object aims at.
const mostAims = 3

// aimsOf are the fields that one object is to have.
func (l *lap) aimsOf(o Object, origin place) []string {
	if origin.role != term.New {
		return nil
	}
	all := l.freshAt(o.Kind, origin)
	if len(all) == 0 {
		return nil
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(o.Kind)) // never fails
	random := rand.New(rand.NewPCG(uint64(l.config.Seed)^sum.Sum64(), uint64(o.Number)))
	var aims []string
	for range mostAims {
		aims = append(aims, all[random.IntN(len(all))])
	}
	return sortedUnique(aims)
}

// leads reports whether a member of what is being made is a field that the object is to have, or
// holds one.
func (m *maker) leads(name string) bool { return m.aimsAt(fieldIn(m.here, name)) }

// aimsAt reports whether a field is one that the object is to have, or holds one. What was
// refused is made anew without.
func (m *maker) aimsAt(field string) bool {
	return !m.plain && slices.ContainsFunc(m.aims, func(aim string) bool { return aim == field || holds(field, aim) })
}

// holds reports whether a field is within another.
func holds(outer, field string) bool {
	return strings.HasPrefix(field, outer+".") || strings.HasPrefix(field, outer+"[")
}

// fieldIn is a member of a field.
func fieldIn(field, name string) string { return path.Below(field, fieldpath.FieldNameElement(name)) }
