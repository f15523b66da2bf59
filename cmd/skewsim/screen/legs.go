package screen

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/engine"
)

// Legs prints the legs of a chain before it is executed, each with what it creates itself.
func Legs(w io.Writer, r engine.Run) error {
	legs, err := engine.PreviewLegs(r)
	if err != nil {
		return err
	}
	p, way := r.Legs, "and back"
	if p.Forward {
		way = "forward"
	}
	fmt.Fprintf(w, "%s: a chain of %d releases, %s .. %s %s: %d legs; seed %d\n",
		r.Scenario.FullName(), len(r.Refs), p.Releases[0], p.Releases[len(p.Releases)-1], way, len(legs), p.Seed)
	fmt.Fprintln(w, "each leg also takes over what earlier ones have left: see legs/*/plan.txt in what run leaves")
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "LEG\tROLLOUT\tOBJECTS\tCOPIES\tSTEPS")
	var skipped []string
	for _, leg := range legs {
		skipped = append(skipped, leg.Plan.UnsupportedAsNamed())
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d%s\n",
			leg.Hop.Name(), leg.Hop.Rollout(), cmp.Or(strings.Join(leg.Objects, ","), "none"), len(leg.Plan.Copies), leg.Plan.Steps(), between(leg))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	slices.Sort(skipped)
	for _, words := range slices.Compact(skipped) { // the way back skips what the way there does
		if words != "" {
			fmt.Fprintln(w, words)
		}
	}
	return nil
}

// between returns what distinguishes the two releases of a leg where the releases of the chain
// have options: their versions may be equal.
func between(leg engine.LegPreview) string {
	if leg.Hop.Options == nil || len(leg.Plan.Releases) == 0 {
		return ""
	}
	return "\t" + leg.Plan.TitleAsNamed(term.Old) + " .. " + leg.Plan.TitleAsNamed(term.New)
}
