package matrix

import (
	"slices"

	"github.com/skewsim/skewsim/sim/pairing"
)

// Excluded is a scenario with the pairs that it is not played with for one reason.
type Excluded struct {
	Scenario string       `json:"scenario"`
	Kind     pairing.Kind `json:"kind"`
	Reason   string       `json:"reason"`
	Pairs    []string     `json:"pairs"` // in order; empty where there is no pair at all
}

// Exclude adds a pair to those that a scenario is not played with for that reason.
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
