package plan

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
)

// leaveOutUnmade leaves out, of what a create line gives, what the releases of its object do
// not make, and what an earlier leg has made for all.
func (b *builder) leaveOutUnmade(line scenarios.Line, all []cell) []cell {
	object := b.scenario.Objects[line.Create]
	if object.Since == "" {
		return all
	}
	for i, c := range all {
		if c.skip != nil {
			continue
		}
		if why := b.unmade(line.Create, object, c.step); why != "" {
			all[i].skip = &Skip{Line: c.step.Line, Stage: b.plan.Stages[c.stage].Name, Cell: describe(c.step), Reason: why}
		}
	}
	return all
}

// unmade says why the object is not made by the step; "" where it is.
func (b *builder) unmade(name string, object scenarios.Object, s Step) string {
	if slices.Contains(b.hop.Made, name) {
		return "an earlier leg has made it, and this one takes it over"
	}
	release := b.pair.version(s.ViaRole)
	switch made, err := object.MadeBy(release); {
	case err != nil:
		return err.Error()
	case !made:
		return fmt.Sprintf("%s is none of the releases that make it (%s)", release, object.Since)
	}
	return ""
}
