package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Group is one change with its rows: releases repeat a rule, a value or a field in each version, place and kind
// that has it.
type Group struct {
	Rows  []Row // in the order of the result; never empty
	Fails bool  // the rows fail
}

// Groups gathers rows that readers see as one change: the same is said of them, and the same became of them.
// The order is that of the first row of each.
func (r Result) Groups(g Gate) (all []Group) {
	fails := map[string]bool{}
	for _, row := range r.Failing(g) {
		fails[row.ID] = true
	}
	at := map[string]int{}
	for _, row := range r.Rows {
		of := fmt.Sprintln(row.change(), row.result(), fails[row.ID])
		i, known := at[of]
		if !known {
			i = len(all)
			at[of] = i
			all = append(all, Group{Fails: fails[row.ID]})
		}
		all[i].Rows = append(all[i].Rows, row)
	}
	return all
}

// change is what the releases say of a difference, wherever it is. All values of one enum are one change, and
// what servers show is told by its field alone.
func (r Row) change() []string {
	all := []string{string(r.Difference.Difference)}
	switch k := r.Difference.Difference; {
	case k == term.BehaviourChanged, k == term.RoundTrip:
		all = append(all, r.Name)
	case k != term.EnumValueAdded && k != term.EnumValueRemoved:
		all = append(all, r.Name, r.Old, r.New)
	}
	switch {
	case r.Path != "":
		return append(all, endOf(r.Path))
	case r.Difference.Difference == term.KindAdded || r.Difference.Difference == term.KindRemoved:
		return append(all, r.Kind)
	}
	return all
}

// result is what became of a row, as far as a reader acts on it.
func (r Row) result() []any {
	return []any{r.Effect, r.Class, r.Rule, r.Broken > 0, r.PreExisting, r.Accepted, r.Known, r.Lap, r.Reachable, r.Playable, r.Exercised, gatesOf(r), r.Uninstalled()}
}

// gatesOf names the gates of a row.
func gatesOf(r Row) (names []string) {
	for _, g := range r.Gates {
		names = append(names, g.Name)
	}
	return names
}

// endOf returns the last fields of a path: a struct that is repeated in several places has the same ones.
func endOf(path string) string {
	last := LastField(path)
	around, _ := CutField(path)
	return strings.Join(WithoutEmpty([]string{LastField(around), last}), ".")
}

// Names are the values of an enum that the rows are about, each once; none for other rows.
func (g Group) Names() (all []string) {
	for _, r := range g.Rows {
		if k := r.Difference.Difference; k == term.EnumValueAdded || k == term.EnumValueRemoved {
			if !slices.Contains(all, r.Name) {
				all = append(all, r.Name)
			}
		}
	}
	return all
}

// Places are the fields or kinds that the rows are about, each once, in words for readers.
func (g Group) Places() (all []string) {
	for _, r := range g.Rows {
		at := strings.Join(WithoutEmpty([]string{GroupVersion(r.Group, r.Version), r.Kind, r.Path}), " ")
		switch {
		case r.Kind == "":
			at = r.Name
		case r.pairID() != "":
			at += " through " + r.Name
		}
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}
