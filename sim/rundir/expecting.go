package rundir

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// expecting replaces the expectations of a history's plan by those of a scenario's file,
// and returns notes about them for reports.
func expecting(h *history.History, scenario string) (notes []string, err error) {
	p := &h.Header.Plan
	switch {
	case p.AA != "":
		return nil, fault.Optionf("{scenario}: the run is an A/A run of %s, which has no expectations", p.File)
	case p.Leg != nil:
		return nil, fault.Optionf("{scenario}: the run is a leg of a chain, of %s: run the chain again", p.File)
	}
	s, err := load.Find(scenario)
	if err != nil {
		return nil, err
	}
	versions := map[term.Role]string{}
	for role, release := range h.Releases {
		versions[role] = release.Version
	}
	again, err := plan.Again(p, s, versions)
	if err != nil {
		return nil, fault.Optionf("{scenario}: %w", err)
	}
	*p = *again
	return []string{fmt.Sprintf("the findings are compared with the key expect of %s as it was when the run was judged again, not as the run recorded it", p.File)}, nil
}
