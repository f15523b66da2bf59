package pairing

import (
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Kind names a reason why a scenario does not apply to a pair.
type Kind string

// The kinds of reasons.
const (
	Chain     Kind = "chain"     // the scenario is for a chain of releases, not for a pair
	Component Kind = "component" // the pair is of another component
	Order     Kind = "order"     // the old release is newer than the new one
	Apart     Kind = "apart"     // the releases are further apart than the caller allows
	Old       Kind = "old"       // the old release does not meet the scenario's constraint
	New       Kind = "new"       // the new release does not meet the scenario's constraint
	Mutant    Kind = "twin"      // the pair's release has no such mutant
	Unoffered Kind = "unoffered" // no source of builds offers a pair of the scenario's component
	Elsewhere Kind = "elsewhere" // another shard has the cell
)

// JSONSchema closes the list of kinds.
func (Kind) JSONSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, k := range []Kind{Chain, Component, Order, Apart, Old, New, Mutant, Unoffered, Elsewhere} {
		s.Enum = append(s.Enum, string(k))
	}
	return s
}

// Why is a reason why a scenario does not apply to a pair.
type Why struct {
	Kind Kind
	Text string    // the reason in a sentence
	End  term.Role // the release that the reason is about; "": both
}

// Applies returns every reason why a scenario does not apply to a pair; none: it applies. An
// unknown component or version ("") is not a reason: the caller repeats the call when the build
// reports it. most is how many minor releases apart the pair may be; 0: any number. It returns
// an error for a constraint or a version that go-version cannot parse.
//
// Only this function compares a pair with a scenario: run, chains, matrix and list all use it.
func Applies(s *scenarios.Scenario, p Pair, most int) ([]Why, error) {
	if a, b := p.Old.Component, p.New.Component; a != "" && b != "" && a != b {
		return []Why{{Component, fmt.Sprintf("the old release is a %s, the new one a %s", a, b), ""}}, nil
	}
	whys := component(s, p)
	if err := scenarios.InOrder(p.Old.Version, p.New.Version); err != nil {
		return append(whys, Why{Order, err.Error(), ""}), nil
	}
	if apart, known := p.Apart(); known && most > 0 && apart > most {
		whys = append(whys, Why{Apart, fmt.Sprintf("%s apart, and the limit is %d", term.Numbered(apart, "minor release"), most), ""})
	}
	for _, end := range []struct {
		role term.Role
		kind Kind
		of   Release
	}{{term.Old, Old, p.Old}, {term.New, New, p.New}} {
		if end.of.Version == "" || componentDiffers(s, end.of) {
			continue
		}
		ok, err := s.Releases.Allows(end.role, end.of.Version)
		if err != nil {
			return nil, err
		}
		if !ok {
			whys = append(whys, Why{end.kind, s.Releases.Requirement(end.role), end.role})
		}
	}
	return whys, nil
}

// component returns the releases that are of another component than the scenario.
func component(s *scenarios.Scenario, p Pair) (whys []Why) {
	for _, role := range []term.Role{term.Old, term.New} {
		if of := p.End(role); componentDiffers(s, of) {
			whys = append(whys, Why{Component, fmt.Sprintf("the scenario is of %s, and the pair of %s", s.Releases.Of, of.Component), role})
		}
	}
	return whys
}

func componentDiffers(s *scenarios.Scenario, r Release) bool {
	return r.Component != "" && r.Component != s.Releases.Of
}

// Against returns the first reason why a matrix does not have the cell of a scenario and a
// pair; nil: it has the cell. most and errors are as in Applies. A chain has no cell, but a
// mutant of its scenario is played with a pair.
func Against(s *scenarios.Scenario, p Pair, most int) (*Why, error) {
	if len(s.Releases.Through) > 0 && s.Mutant == "" {
		return &Why{Chain, "the scenario plays a chain of releases, and no pair: skewsim run plays it", ""}, nil
	}
	whys, err := Applies(s, p, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.FullName(), err)
	}
	if len(whys) == 0 {
		return nil, nil
	}
	return &whys[0], nil
}

// Offered returns the available pairs that a scenario is played with when the user names none:
// of its component, and as far apart as its own pair. Most are neighbours, because an upgrade
// over several releases goes one by one.
func Offered(s *scenarios.Scenario, pairs []Pair) (all []Pair) {
	own := OwnDistance(s)
	for _, p := range pairs {
		if apart, known := p.Apart(); known && apart == own && p.Old.Component == s.Releases.Of && (own > 0 || p.Old == p.New) {
			all = append(all, p)
		}
	}
	return all
}

// OwnDistance returns how many minor releases a scenario's own pair is apart; 1 if that is
// unknown.
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
