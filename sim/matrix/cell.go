package matrix

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Kind says in a word why a scenario is not played with a pair.
type Kind string

// The kinds of reasons.
const (
	Chain     Kind = "chain"     // the scenario plays a chain, and no pair
	Component Kind = "component" // the pair is of another component
	Order     Kind = "order"     // the old release is newer than the new one
	Apart     Kind = "apart"     // the releases are further apart than asked for
	Old       Kind = "old"       // the scenario's constraint on the old release is not met
	New       Kind = "new"       // likewise on the new one
	Twin      Kind = "twin"      // there is no such twin of the pair's release
	Unoffered Kind = "unoffered" // no source of builds offers a pair of the scenario's component
	Elsewhere Kind = "elsewhere" // another shard plays it
)

// Why tells why a scenario is not played with a pair.
type Why struct {
	Kind Kind
	Text string // in a sentence
}

// Against tells why a scenario is not played with a pair; nil: it is. A pair may be so
// many minor releases apart at most; 0: any number. Errors: a constraint or a version
// that go-version cannot read.
func Against(s *scenarios.Scenario, p Pair, skew int) (*Why, error) {
	if why := againstPair(s, p); why != nil {
		return why, nil
	}
	if apart, known := p.Apart(); known && skew > 0 && apart > skew {
		return &Why{Apart, fmt.Sprintf("%s apart, and at most %d was asked for", minorReleases(apart), skew)}, nil
	}
	for _, end := range []struct {
		role term.Role
		kind Kind
		of   Release
	}{{term.Old, Old, p.Old}, {term.New, New, p.New}} {
		if end.of.Version == "" {
			continue // its build tells
		}
		ok, err := s.Releases.Allows(end.role, end.of.Version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.FullName(), err)
		}
		if !ok {
			return &Why{end.kind, s.Releases.Requirement(end.role)}, nil
		}
	}
	return nil, nil
}

// againstPair holds what a pair is of, and its order, against the scenario.
func againstPair(s *scenarios.Scenario, p Pair) *Why {
	switch {
	case len(s.Releases.Through) > 0 && s.Twin == "":
		return &Why{Chain, "the scenario plays a chain of releases, and no pair: skewsim run plays it"}
	case p.Old.Component != "" && p.New.Component != "" && p.Old.Component != p.New.Component:
		return &Why{Component, fmt.Sprintf("the old release is a %s, the new one a %s", p.Old.Component, p.New.Component)}
	}
	for _, end := range []Release{p.Old, p.New} {
		if end.Component != "" && end.Component != s.Releases.Of {
			return &Why{Component, fmt.Sprintf("the scenario is of %s, and the pair of %s", s.Releases.Of, end.Component)}
		}
	}
	if err := scenarios.InOrder(p.Old.Version, p.New.Version); err != nil {
		return &Why{Order, err.Error()}
	}
	return nil
}

func minorReleases(n int) string {
	if n == 1 {
		return "1 minor release"
	}
	return fmt.Sprintf("%d minor releases", n)
}

// Offered are those of the pairs which there are that a scenario is held against where
// the user names none: of its component, and as far apart as its own pair is.
// Neighbours mostly, for releases further apart are upgraded one by one.
func Offered(s *scenarios.Scenario, pairs []Pair) (all []Pair) {
	own := OwnDistance(s)
	for _, p := range pairs {
		if apart, known := p.Apart(); known && apart == own && p.Old.Component == s.Releases.Of && (own > 0 || p.Old == p.New) {
			all = append(all, p)
		}
	}
	return all
}

// OwnDistance is how many minor releases a scenario's own pair is apart; 1 where that
// cannot be told.
func OwnDistance(s *scenarios.Scenario) int {
	_, old, new, ok := s.Releases.Ends()
	if !ok {
		return 1
	}
	apart, known := Pair{Release{Version: old}, Release{Version: new}}.Apart()
	if !known {
		return 1
	}
	return apart
}

// Excluded is a scenario with the pairs that it is not played with for one reason.
type Excluded struct {
	Scenario string   `json:"scenario"`
	Kind     Kind     `json:"kind"`
	Reason   string   `json:"reason"`
	Pairs    []string `json:"pairs"` // in order; empty where there is no pair at all
}

// Exclude adds a pair to those that a scenario is not played with for that reason.
func Exclude(all []Excluded, scenario string, why Why, pair string) []Excluded {
	i := slices.IndexFunc(all, func(e Excluded) bool {
		return e.Scenario == scenario && e.Kind == why.Kind && e.Reason == why.Text
	})
	if i < 0 {
		all, i = append(all, Excluded{Scenario: scenario, Kind: why.Kind, Reason: why.Text, Pairs: []string{}}), len(all)
	}
	if pair != "" {
		all[i].Pairs = append(all[i].Pairs, pair)
	}
	return all
}
