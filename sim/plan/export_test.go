package plan

import (
	"github.com/skewsim/skewsim/scenarios"
)

// MaxSteps is the bound of a plan.
const MaxSteps = maxSteps

// Counted is what the lines of a scenario multiply to, as it is counted before they are
// planned.
func Counted(p *Plan, s *scenarios.Scenario, pair Pair) int {
	total := 0
	for _, l := range (lines{scenario: s, plan: p, pair: pair}).lineSizes() {
		total = plus(total, l.Steps)
	}
	return total
}
