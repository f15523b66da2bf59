package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// company is tasks that share one journey: one fleet of servers over one store.
type company []task

// companies puts tasks together whose journeys are one: of equal builds, started
// with the same, in as many replicas, rolled out in one order. The one with most to
// do comes first, so that it is not left to the end alone. With isolate each task is
// by itself.
func companies(all []task, isolate bool) []company {
	var found []company
	for _, t := range all {
		i := slices.IndexFunc(found, func(c company) bool { return !isolate && c.takes(t) })
		if i < 0 {
			found = append(found, company{t})
			continue
		}
		found[i] = append(found[i], t)
	}
	slices.SortStableFunc(found, func(a, b company) int { return cmp.Compare(b.size(), a.size()) })
	return found
}

func (c company) size() (sum int) {
	for _, t := range c {
		sum += t.Steps()
	}
	return sum
}

// takes tells whether a task can go along: it must meet none of the others' objects,
// and its older clients must be of the same release as theirs.
func (c company) takes(t task) bool {
	journey, shares := t.journey()
	if other, too := c[0].journey(); !shares || !too || other != journey {
		return false
	}
	own := t.Plan.Clients
	if slices.ContainsFunc(c, func(other task) bool { return own != "" && other.Plan.Clients != "" && other.Plan.Clients != own }) {
		return false // one program stands for the older clients of all
	}
	names := t.objectNames()
	return !slices.ContainsFunc(c, func(other task) bool {
		return other.Plan.Namespace == t.Plan.Namespace || slices.ContainsFunc(other.objectNames(), func(name string) bool {
			_, found := slices.BinarySearch(names, name)
			return found
		})
	})
}

// journey is all that the servers of a task hang on, as a text; false: it goes alone.
func (t task) journey() (string, bool) {
	if t.Plan == nil {
		return "", false
	}
	return journeyOf(t.Scenario, t.Refs)
}

// journeyOf is the journey of a scenario that plays a pair.
func journeyOf(s *scenarios.Scenario, refs []servers.Reference) (string, bool) {
	if s.Isolate {
		return "", false
	}
	text, err := json.Marshal([]any{refs, s.Old, s.New, s.Replicas, s.Journey})
	return string(text), err == nil
}

// objectNames are what the task's objects are called where they lie in no namespace,
// sorted.
func (t task) objectNames() []string {
	var names []string
	for _, c := range t.Plan.Copies {
		names = append(names, t.Plan.ObjectName(c, false))
	}
	slices.Sort(names)
	return names
}

// names are those of the tasks.
func (c company) names() []string {
	names := make([]string, len(c))
	for i, t := range c {
		names[i] = t.name()
	}
	return names
}

// pair is what the company plays, in words.
func (c company) pair() string {
	if c[0].Plan == nil {
		return fmt.Sprintf("%s to %s and what is between", c[0].Refs[0], c[0].Refs[len(c[0].Refs)-1])
	}
	return fmt.Sprintf("%s..%s", c[0].Refs[0], c[0].Refs[1])
}
