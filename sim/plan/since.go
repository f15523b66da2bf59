package plan

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
)

// leaveOutUnmade leaves out, of what a create line gives, what the releases of its object do
// not make, and what an earlier leg has made for all.
func (ls lines) leaveOutUnmade(line scenarios.Line, all []cell) []cell {
	object := ls.scenario.Objects[line.Create]
	if object.Since == "" {
		return all
	}
	for i, c := range all {
		if c.skip != nil {
			continue
		}
		if why := ls.unmade(line.Create, object, c.step); why != "" {
			all[i].skip = &Skip{Line: c.step.Line, Stage: ls.plan.Stages[c.stage].Name, Cell: describe(c.step), Reason: why}
		}
	}
	return all
}

// unmade says why the object is not made by the step; "" where it is.
func (ls lines) unmade(name string, object scenarios.Object, s Step) string {
	if slices.Contains(ls.hop.Made, name) {
		return "an earlier leg has made it, and this one takes it over"
	}
	release := ls.pair.version(s.ViaRole)
	switch made, err := object.MadeBy(release); {
	case err != nil:
		return err.Error()
	case !made:
		return fmt.Sprintf("%s %s (%s)", release, NotMade, object.Since)
	}
	return ""
}
