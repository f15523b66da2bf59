package engine

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
)

// LegPreview is a leg of a chain before anything is executed, with what it creates itself.
// What it takes over depends on what the leg before it leaves.
type LegPreview struct {
	Hop     chain.Hop
	Plan    *plan.Plan // empty where the leg only takes over
	Objects []string   // that it creates
}

// PreviewLegs returns the legs of a chain.
func PreviewLegs(r Run) (legs []LegPreview, _ error) {
	var made []string
	for _, hop := range r.Legs.Hops() {
		next := plan.Hop{Number: hop.Number, Back: hop.Back, Rewrite: hop.Back && r.Legs.Rewrite, Made: made}
		leg, err := plan.BuildLeg(OfHop(r.Scenario, hop), hop.Pair, r.Legs.Seed, next)
		if err != nil && len(made) == 0 {
			return nil, fault.ByUser(err)
		}
		if err != nil { // it only takes over
			leg = &plan.Plan{}
		}
		objects := created(leg)
		legs = append(legs, LegPreview{hop, leg, objects})
		for _, object := range objects {
			if slices.Contains(r.Legs.Once, object) {
				made = append(made, object)
			}
		}
	}
	return legs, nil
}

// OfHop returns the scenario as a hop runs it: with the options of the chain's points for
// the hop's releases.
func OfHop(s *scenarios.Scenario, hop chain.Hop) *scenarios.Scenario {
	if hop.Options == nil {
		return s
	}
	own := *s
	own.Old, own.New = hop.Options[0], hop.Options[1]
	return &own
}

// created returns the objects that a plan creates.
func created(p *plan.Plan) []string {
	var all []string
	for _, c := range p.Copies {
		if c.Leg == 0 && c.Role != term.Control {
			all = append(all, c.Object)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
