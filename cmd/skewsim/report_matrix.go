package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// part is a matrix of which runs are gathered, whole or a shard.
type part struct {
	dir   string
	state matrix.State
}

// gatherMatrix takes in what the matrix.json of a directory names, and nothing else that
// lies there: an earlier matrix may have left it. False: no matrix was played there.
func (g *gathering) gatherMatrix(dir string) bool {
	s, err := leftIn(dir)
	if err == nil && s.Shard != nil && (s.Shard.Index < 1 || s.Shard.Index > s.Shard.Of) {
		err = fmt.Errorf("has the shard %s, which is none", s.Shard)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil: // what it names nobody knows, and what is there counts all the same
		g.add(filepath.Join(dir, matrix.FileName), result.Source{Problem: withoutPath(err).Error()}, nil)
		return false
	case s.Phase == matrix.Waiting: // a list of what would be played
		return false
	case len(s.Cells) == 0 && s.Shard == nil:
		return false
	}
	g.gatherCells(dir, s)
	g.parts = append(g.parts, part{dir, s})
	if n := strays(dir, s); n > 0 {
		g.notes = append(g.notes, fmt.Sprintf("%s holds %s that its %s does not name: not counted", relative(g.out, dir), campaign.Numbered(n, "run"), matrix.FileName))
	}
	return true
}

// leftIn is what a matrix has left in its directory.
func leftIn(dir string) (matrix.State, error) {
	raw, err := rundir.ReadRegular(filepath.Join(dir, matrix.FileName))
	if err != nil {
		return matrix.State{}, err
	}
	return matrix.Read(raw)
}

// gatherCells takes in the cells of a matrix, each with its run or without.
func (g *gathering) gatherCells(dir string, s matrix.State) {
	for _, c := range s.Cells {
		at := filepath.FromSlash(c.Dir)
		if !filepath.IsLocal(at) {
			g.add(filepath.Join(dir, matrix.FileName), result.Source{Problem: fmt.Sprintf("names the directory %q, which is outside of its own", c.Dir)}, nil)
			continue
		}
		if c.Phase == matrix.Inapt {
			g.addInapt(c)
			continue
		}
		run := filepath.Join(dir, at)
		source, raw := cellSource(run, c)
		g.add(run, ofCell(source, c, s.Seed), raw)
	}
}

// inapt is a pair with which scenarios were not played, and why.
type inapt struct{ pair, why string }

// addInapt takes in a cell that its builds turned out not to be for: no run, but told.
func (g *gathering) addInapt(c matrix.Cell) {
	key := inapt{c.Pair, c.Reason}
	if g.inapt == nil {
		g.inapt = map[inapt]map[string]bool{}
	}
	if g.inapt[key] == nil {
		g.inapt[key] = map[string]bool{}
	}
	g.inapt[key][c.Scenario] = true
}

// inaptNotes tell of each pair which scenarios were not played, for one reason at once:
// however the cells were dealt out to shards, they say the same.
func (g *gathering) inaptNotes() (notes []string) {
	const told = 3
	for at, scenarios := range g.inapt {
		all := slices.Sorted(maps.Keys(scenarios))
		names := strings.Join(all[:min(told, len(all))], ", ")
		if more := len(all) - told; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		notes = append(notes, fmt.Sprintf("%s was not played with %s: %s", at.pair, names, at.why))
	}
	return notes
}

// cellSource is the run of a cell as it counts: what was ended before its end is none,
// whatever was seen by then.
func cellSource(run string, c matrix.Cell) (result.Source, []byte) {
	if c.Phase != matrix.Done || c.Earlier || c.Result == "" || c.IsRefused() {
		return unplayed(c), nil
	}
	source, raw := readRun(run)
	if source.Problem != "" {
		return source, raw
	}
	has := source.Result.Verdict
	if source.Result = c.Counts(source.Result); source.Result.Verdict != has {
		return source, nil // a copy of the run is another one: it does not say this
	}
	return source, raw
}

// strays counts the runs below a matrix's directory that are none of its cells.
func strays(dir string, s matrix.State) (n int) {
	named := map[string]bool{}
	for _, c := range s.Cells {
		named[filepath.Join(dir, filepath.FromSlash(c.Dir))] = true
	}
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return skipUnread(entry)
		case !entry.IsDir() || name == dir || !rundir.IsRun(name):
			return nil
		case !named[name]:
			n++
		}
		return filepath.SkipDir
	}) // what cannot be read is no run that counts
	return n
}

// gatherAbsent takes in what the shards that were given are parts of, and nobody gave.
func (g *gathering) gatherAbsent() {
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

// wholeOf tells a matrix from others by what its shards have in common.
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

// absent names the shards of one matrix that are not among those that are given, and tells
// which cells are in none; "": all is there.
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
		return "cells of no shard", fmt.Sprintf("all shards are here, and %s in none of them, such as %s: give each shard the same --costs", campaign.Numbered(len(left), "cell"), left[0])
	case lost > len(names):
		names = append(names, fmt.Sprintf("%d more", lost-len(names)))
	}
	name = "shard " + strings.Join(names, ", ")
	return name, fmt.Sprintf("not here: %s, with %s: give their directories, too", name, campaign.Numbered(len(left), "cell"))
}
