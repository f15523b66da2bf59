package view

import (
	"fmt"
	"sort"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Because returns the reason that an expectation gives; "" for none.
func Because(e scenarios.Expectation) string {
	if e.Why == "" {
		return ""
	}
	return term.Visible(strings.Join(strings.Fields(e.Why), " "))
}

// Match is the findings that one expectation matches.
type Match struct {
	Place    int    // in expect, from 1; 0: the journey itself expects them, as outages while it has no program
	Line     string // the expectation as in the scenario; "" for place 0
	Findings []result.Finding
}

// Matches groups the expected findings by the expectation that they match. Each expectation
// with a match is there, in the scenario's order.
func Matches(expect []scenarios.Expectation, findings []result.Finding) []Match {
	byPlace := map[int]*Match{}
	var places []int
	for _, f := range Expected(findings) {
		m := byPlace[f.Expectation]
		if m == nil {
			m = &Match{Place: f.Expectation, Line: lineAt(expect, f.Expectation)}
			byPlace[f.Expectation] = m
			places = append(places, f.Expectation)
		}
		m.Findings = append(m.Findings, f)
	}
	sort.Ints(places)
	out := make([]Match, len(places))
	for i, place := range places {
		out[i] = *byPlace[place]
	}
	return out
}

// lineAt returns the expectation at a place, or says that there is no such line.
func lineAt(expect []scenarios.Expectation, place int) string {
	if place == 0 {
		return ""
	}
	if place < 1 || place > len(expect) {
		return fmt.Sprintf("line %d of expect", place)
	}
	return ExpectationLine(expect[place-1])
}

// ExpectationLine returns an expectation as in the scenario, without its reason, which is a
// separate sentence: {check: ..., via: old}.
func ExpectationLine(e scenarios.Expectation) string {
	e.Why = ""
	return term.Visible(e.Flow())
}

// AsExpected says what a check that passed has found all the same, because a scenario expects
// it: "as expected: 7 lost, 2 changed". It is "" for all other checks.
func AsExpected(c result.Check, findings []result.Finding) string {
	if c.Verdict != term.Pass {
		return ""
	}
	count := map[term.Outcome]int{}
	for _, f := range Expected(findings) {
		if f.Check == c.Name {
			count[f.Outcome]++
		}
	}
	var words []string
	for _, e := range term.RunOutcomes() {
		if n := count[e.Word]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, e.Word))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "as expected: " + strings.Join(words, ", ")
}

// Guarantee returns the guarantee of a check, after what was found in spite of it.
func Guarantee(c result.Check, findings []result.Finding) string {
	if found := AsExpected(c, findings); found != "" {
		return found + "; otherwise: " + c.Guarantee
	}
	return c.Guarantee
}
