package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/pairing"
)

// Excluded is a scenario with the pairs that it is not played with for one reason.
type Excluded struct {
	Scenario string       `json:"scenario"`
	Kind     pairing.Kind `json:"kind"`
	Reason   string       `json:"reason"`
	Pairs    []string     `json:"pairs"` // in order; empty if there is no pair at all
}

// Exclude adds a pair to the pairs that a scenario is not played with for that reason.
func Exclude(all []Excluded, scenario string, why pairing.Why, pair string) []Excluded {
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

// String returns the scenario, the pairs that it is not played with, and the reason.
func (e Excluded) String() string {
	const shown = 3
	if len(e.Pairs) == 0 {
		return fmt.Sprintf("%s: %s", e.Scenario, e.Reason)
	}
	names := strings.Join(e.Pairs[:min(shown, len(e.Pairs))], ", ")
	if more := len(e.Pairs) - shown; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s: %s (%s)", e.Scenario, e.Reason, names)
}
