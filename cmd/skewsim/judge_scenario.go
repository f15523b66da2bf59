package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/rundir"
)

// scenarioFlag names the file whose key expect counts when a run is judged again.
func scenarioFlag(c *cobra.Command, scenario *string) {
	c.Flags().StringVar(scenario, "scenario", "", "compare with the key expect of this `file` or scenario of the catalogue (default: the key expect that the run recorded)")
	completeFlag(c, "scenario", completeScenario)
}

// ofNoChain refuses --scenario where a chain is judged, each leg of which takes over
// what the one before found.
func ofNoChain(dir string) error {
	return fault.ByUser(fmt.Errorf("--scenario: requires a run of one pair, and %s is a chain: run the chain again", dir))
}

// judgedAnew is the command that judges a run by its scenario's file as that was edited; ""
// for a run of which --scenario is refused.
func judgedAnew(dir string, p plan.Plan) string {
	if p.AA != "" || p.Leg != nil {
		return ""
	}
	return fmt.Sprintf("skewsim judge %s --scenario %s", shell.Quote(dir), shell.Quote(scenarioFile(p)))
}

// scenarioFile is what a command calls the file of a scenario that was played: a run records
// only its last name, which says where it is where one of that name is here.
func scenarioFile(p plan.Plan) string {
	if rundir.Exists(p.File) {
		return p.File
	}
	return "FILE"
}
