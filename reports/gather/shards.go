package gather

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

// AddAbsent adds the missing shards of the matrices of which only some shards were given.
func (g *Runs) AddAbsent() {
	g.parts = slices.DeleteFunc(g.parts, func(p part) bool { return p.state.Shard == nil })
	slices.SortFunc(g.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.state.Shard.Index, b.state.Shard.Index), cmp.Compare(a.dir, b.dir))
	})
	seen := map[string]bool{}
	for _, p := range g.parts {
		whole := wholeOf(p.state)
		if seen[whole] {
			continue
		}
		seen[whole] = true
		all := slices.DeleteFunc(slices.Clone(g.parts), func(other part) bool { return wholeOf(other.state) != whole })
		if name, problem := absent(all); problem != "" {
			g.add(p.dir, result.Source{Name: fmt.Sprintf("%s (of %s's matrix)", name, relative(g.out, p.dir)), Problem: problem}, nil)
		}
	}
}

// wholeOf identifies a matrix by what its shards have in common.
func wholeOf(s matrix.State) string {
	return fmt.Sprint(s.Shard.Of, s.Seed, "\n", strings.Join(slices.Sorted(slices.Values(slices.Concat(cellsHere(s), cellsElsewhere(s)))), "\n"))
}

// cellsHere and cellsElsewhere are the cells of a shard, and those of the other shards.
func cellsHere(s matrix.State) (all []string) {
	for _, c := range s.Cells {
		all = append(all, c.Pair+" "+c.Scenario)
	}
	return all
}

func cellsElsewhere(s matrix.State) (all []string) {
	for _, e := range s.Excluded {
		for _, pair := range e.Pairs {
			if e.Kind == pairing.Elsewhere {
				all = append(all, pair+" "+e.Scenario)
			}
		}
	}
	return all
}

// absent names the missing shards of one matrix, and its cells that are in no given shard;
// "" if all are given.
func absent(all []part) (name, problem string) {
	const told = 5
	of := all[0].state.Shard.Of
	given, here := map[int]bool{}, map[string]bool{}
	for _, p := range all {
		given[p.state.Shard.Index] = true
		for _, c := range cellsHere(p.state) {
			here[c] = true
		}
	}
	left := slices.DeleteFunc(slices.Concat(cellsHere(all[0].state), cellsElsewhere(all[0].state)), func(c string) bool { return here[c] })
	var names []string
	for i := 1; i <= of && len(names) < told; i++ {
		if !given[i] {
			names = append(names, matrix.Shard{Index: i, Of: of}.String())
		}
	}
	lost := of - len(given)
	switch {
	case lost == 0 && len(left) == 0:
		return "", ""
	case lost == 0:
		return "cells of no shard", fmt.Sprintf("all shards are here, and %s in none of them, such as %s: give each shard the same --costs", term.Numbered(len(left), "cell"), left[0])
	case lost > len(names):
		names = append(names, fmt.Sprintf("%d more", lost-len(names)))
	}
	name = "shard " + strings.Join(names, ", ")
	return name, fmt.Sprintf("not here: %s, with %s: give their directories, too", name, term.Numbered(len(left), "cell"))
}
