package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// scenarioFlag names the file whose key expect counts when a run is judged again.
func scenarioFlag(c *cobra.Command, scenario *string) {
	c.Flags().StringVar(scenario, "scenario", "", "compare with the key expect of this `file`, or scenario of the catalogue (default: the one that the run recorded)")
	completeFlag(c, "scenario", completeScenario)
}

// ofNoChain refuses --scenario where a chain is judged, each leg of which takes over
// what the one before found.
func ofNoChain(dir string) error {
	return usage(fmt.Errorf("--scenario: is of one pair, and %s is a chain: play the chain again", dir))
}

// expecting has the plan of a history expect what a scenario's file says by now, and
// returns what reports have to say of that.
func expecting(h *history.History, scenario string) (notes []string, err error) {
	p := &h.Header.Plan
	switch {
	case p.PlaceboOf != "":
		return nil, fmt.Errorf("--scenario: the run is an A/A run of %s, which expects nothing whatever its file says", p.File)
	case p.Leg != nil:
		return nil, fmt.Errorf("--scenario: the run is a leg of a chain, of %s: play the chain again", p.File)
	}
	s, err := load.Find(scenario)
	if err != nil {
		return nil, err
	}
	versions := map[term.Role]string{}
	for role, release := range h.Releases {
		versions[role] = release.Version
	}
	again, err := p.Again(s, versions)
	if err != nil {
		return nil, fmt.Errorf("--scenario: %w", err)
	}
	*p = *again
	return []string{fmt.Sprintf("the findings are compared with the key expect of %s as it was when the run was judged again, not as the run recorded it", p.File)}, nil
}

// judgedAnew is the command that judges a run by its scenario's file as that was edited; ""
// for a run of which --scenario is refused.
func judgedAnew(dir string, p plan.Plan) string {
	if p.PlaceboOf != "" || p.Leg != nil {
		return ""
	}
	return fmt.Sprintf("skewsim judge %s --scenario %s", inShell(dir), inShell(scenarioFile(p)))
}

// scenarioFile is what a command calls the file of a scenario that was played: a run records
// only its last name, which says where it is where one of that name is here.
func scenarioFile(p plan.Plan) string {
	if isThere(p.File) {
		return p.File
	}
	return "FILE"
}
