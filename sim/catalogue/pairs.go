package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/pairing"
)

// appliesTo returns the releases that a scenario requires, in words: "old >= 1.31, < 1.33;
// new >= 1.33". any: it requires nothing.
func appliesTo(r scenarios.Releases) string {
	var parts []string
	for _, end := range []struct{ name, constraint string }{{"old", r.Old}, {"new", r.New}} {
		if end.constraint != "" {
			parts = append(parts, end.name+" "+end.constraint)
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "any")
}

// builtPairs returns the pairs of built releases that a matrix runs with a scenario. If it
// runs none, builtPairs returns all pairs of two releases that the scenario applies to. A
// chain has no pairs.
func builtPairs(s *scenarios.Scenario, built map[string][]*version.Version) (pairs []string) {
	if len(s.Releases.Through) > 0 {
		return nil
	}
	var releases []pairing.Release
	for _, v := range built[s.Releases.Of] {
		releases = append(releases, pairing.Release{Reference: s.Releases.Of + "@" + v.Original(), Component: s.Releases.Of, Version: v.Original()})
	}
	var far []string
	all := pairing.Among(releases)
	offered := pairing.Offered(s, all)
	for _, p := range all {
		why, err := pairing.Against(s, p, 0)
		text := p.Old.Version + ".." + p.New.Version
		switch {
		case err != nil || why != nil:
		case slices.Contains(offered, p):
			pairs = append(pairs, text)
		case p.Old != p.New && pairing.OwnDistance(s) != 0:
			far = append(far, text)
		}
	}
	if len(pairs) == 0 {
		return far
	}
	return pairs
}
