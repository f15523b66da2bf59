package campaign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/plan"
)

// Group is the cells of one shared run: one fleet of servers over one store.
type Group []*Cell

// Share groups the cells that can share a run: equal builds, options, replicas and
// roll-outs. The group with most work comes first, so that it does not run last by itself.
// With isolate each cell is by itself.
func Share(all []*Cell, isolate bool) []Group {
	var found []Group
	for _, c := range all {
		i := slices.IndexFunc(found, func(g Group) bool { return !isolate && g.takes(c) })
		if i < 0 {
			found = append(found, Group{c})
			continue
		}
		found[i] = append(found[i], c)
	}
	slices.SortStableFunc(found, func(a, b Group) int { return cmp.Compare(b.steps(), a.steps()) })
	return found
}

func (g Group) steps() (sum int) {
	for _, c := range g {
		sum += c.Run.Steps()
	}
	return sum
}

// takes reports whether a cell can join a group: its objects have other names than theirs,
// and its older clients are of the same release.
func (g Group) takes(c *Cell) bool {
	journey, shares := journeyOf(c)
	if other, too := journeyOf(g[0]); !shares || !too || other != journey {
		return false
	}
	own := c.Run.Plan.Clients
	if slices.ContainsFunc(g, func(other *Cell) bool {
		return own != "" && other.Run.Plan.Clients != "" && other.Run.Plan.Clients != own
	}) {
		return false // one program serves the older clients of all
	}
	names := objectNames(c)
	return !slices.ContainsFunc(g, func(other *Cell) bool {
		return other.Run.Plan.Namespace == c.Run.Plan.Namespace || slices.ContainsFunc(objectNames(other), func(name string) bool {
			_, found := slices.BinarySearch(names, name)
			return found
		})
	})
}

// journeyOf returns everything that the servers of a cell depend on, as a text; false: the
// cell cannot share a run.
func journeyOf(c *Cell) (string, bool) {
	if c.Run.Plan == nil {
		return "", false
	}
	return JourneyOf(c.Run.Scenario, c.Run.Refs)
}

// JourneyOf returns everything that the servers of a scenario depend on when it is run with
// a pair, as a text; false: the scenario cannot share a run.
func JourneyOf(s *scenarios.Scenario, refs []servers.Reference) (string, bool) {
	if s.Isolate {
		return "", false
	}
	text, err := json.Marshal([]any{refs, s.Old, s.New, s.Replicas, s.Surge, plan.JourneyOf(s, refs[0].Manifests.Program)})
	return string(text), err == nil
}

// objectNames returns the sorted names of the cell's cluster-scoped objects.
func objectNames(c *Cell) []string {
	var names []string
	for _, one := range c.Run.Plan.Copies {
		names = append(names, c.Run.Plan.ObjectName(one, false))
	}
	slices.Sort(names)
	return names
}

// Names returns the names of the cells.
func (g Group) Names() []string {
	names := make([]string, len(g))
	for i, c := range g {
		names[i] = c.Name()
	}
	return names
}

// Pair returns what the group runs, in words.
func (g Group) Pair() string {
	refs := g[0].Run.Refs
	if g[0].Run.Plan == nil {
		return fmt.Sprintf("%s to %s and what is between", refs[0], refs[len(refs)-1])
	}
	return fmt.Sprintf("%s..%s", refs[0], refs[1])
}

// others returns the names of the other cells of a group, in words.
func (g Group) others(c *Cell) string {
	return strings.Join(slices.DeleteFunc(g.Names(), func(name string) bool { return name == c.Name() }), ", ")
}
