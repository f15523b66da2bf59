package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/term"
)

// appliesTo is what a scenario asks of the releases that it is played with, in
// words: "old >= 1.31, < 1.33; new >= 1.33". any: it asks nothing.
func appliesTo(r scenarios.Releases) string {
	var parts []string
	for _, end := range []struct{ name, asked string }{{"old", r.Old}, {"new", r.New}} {
		if end.asked != "" {
			parts = append(parts, end.name+" "+end.asked)
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "any")
}

// builtReleases are the releases that are in the cache, older ones first, by
// component. Those that come with skewsim are never there. What was built of a checkout
// is no release: its version names no build.
func builtReleases() (map[string][]*version.Version, error) {
	built, err := cached()
	if err != nil {
		return nil, err
	}
	all := map[string][]*version.Version{}
	for _, b := range built {
		if v, err := version.NewVersion(b.Version); err == nil && b.Reference == "" {
			all[b.Name] = append(all[b.Name], v)
		}
	}
	for name, versions := range all {
		slices.SortFunc(versions, (*version.Version).Compare)
		all[name] = slices.CompactFunc(versions, (*version.Version).Equal)
	}
	return all, nil
}

// builtPairs are the pairs of built releases that a scenario can be played with.
// Of those it names the ones that lie as far apart as the scenario's own pair, as
// neighbours mostly do: releases further apart are upgraded one by one. Where it
// names none of those, all. A chain has no pairs of its own.
func builtPairs(s *scenarios.Scenario, built map[string][]*version.Version) (pairs []string) {
	if len(s.Releases.Through) > 0 {
		return nil
	}
	var far []string
	hop := ownHop(s.Releases.Pair)
	versions := built[s.Releases.Of]
	for i, old := range versions {
		for _, new := range versions[i:] {
			pair := old.Original() + ".." + new.Original()
			switch {
			case old.Equal(new) != (hop == 0) || !allowed(s, old, new):
			case distance(old, new) == hop:
				pairs = append(pairs, pair)
			default:
				far = append(far, pair)
			}
		}
	}
	if len(pairs) == 0 {
		return far
	}
	return pairs
}

func allowed(s *scenarios.Scenario, old, new *version.Version) bool {
	first, err := s.Releases.Allows(term.Old, old.Original())
	if err != nil || !first {
		return false
	}
	second, err := s.Releases.Allows(term.New, new.Original())
	return err == nil && second
}

// ownHop is how many minor releases the scenario's own pair is apart. Default 1.
func ownHop(pair string) int {
	old, new, err := servers.ParsePair(pair)
	if err != nil {
		return 1
	}
	first, err := version.NewVersion(old.Version)
	if err != nil {
		return 1
	}
	second, err := version.NewVersion(new.Version)
	if err != nil {
		return 1
	}
	return distance(first, second)
}

// distance is how many minor releases lie from one to the other. Releases of
// different major versions are further apart than any.
func distance(old, new *version.Version) int {
	const farther = 1000
	a, b := old.Segments(), new.Segments()
	return (b[0]-a[0])*farther + b[1] - a[1]
}
