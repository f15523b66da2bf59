package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/planner"
)

// printChain prints the legs of a chain: of each what it makes itself. What it takes
// over hangs on what the one before leaves.
func (a *app) printChain(t engine.Run) error {
	s, p := t.Scenario, t.Legs
	way := "and back"
	if p.Forward {
		way = "forward"
	}
	hops := p.Hops()
	fmt.Fprintf(a.out, "%s: a chain of %d releases, %s .. %s %s: %d legs; seed %d\n",
		s.FullName(), len(t.Refs), p.Releases[0], p.Releases[len(p.Releases)-1], way, len(hops), p.Seed)
	fmt.Fprintln(a.out, "each leg also takes over what earlier ones have left: see legs/*/plan.txt in what run leaves")
	table := tabwriter.NewWriter(a.out, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "LEG\tROLLOUT\tOBJECTS\tCOPIES\tSTEPS")
	var made, skipped []string
	for _, hop := range hops {
		next := planner.Hop{Number: hop.Number, Back: hop.Back, Rewrite: hop.Back && p.Rewrite, Made: made}
		leg, err := planner.BuildLeg(engine.OfHop(s, hop), hop.Pair, p.Seed, next)
		if err != nil && len(made) == 0 {
			return usage(err)
		}
		if err != nil { // it only takes over
			leg = &plan.Plan{}
		}
		skipped = append(skipped, leg.UnsupportedAsNamed())
		objects := objectsOf(leg)
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d%s\n", hop.Name(), hop.Rollout(), cmp.Or(strings.Join(objects, ","), "none"), len(leg.Copies), leg.Steps(), between(hop, leg))
		for _, object := range objects {
			if slices.Contains(p.Once, object) {
				made = append(made, object)
			}
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	a.printSkipped(skipped)
	return nil
}

// between says what tells the two releases of a leg apart, where the chain's points have
// options: their versions may be equal.
func between(hop chain.Hop, leg *plan.Plan) string {
	if hop.Options == nil || len(leg.Releases) == 0 {
		return ""
	}
	return "\t" + leg.TitleAsNamed(term.Old) + " .. " + leg.TitleAsNamed(term.New)
}

// printSkipped tells of the legs that skip a minor release: once, though there is a way
// there and one back.
func (a *app) printSkipped(skipped []string) {
	slices.Sort(skipped)
	for _, words := range slices.Compact(skipped) {
		if words != "" {
			fmt.Fprintln(a.out, words)
		}
	}
}

// objectsOf are the objects that a plan makes.
func objectsOf(p *plan.Plan) []string {
	var all []string
	for _, c := range p.Copies {
		if c.Leg == 0 && c.Role != term.Control {
			all = append(all, c.Object)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
