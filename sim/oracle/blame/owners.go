package blame

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// An object describes itself: its generation moves with its spec, and managedFields name the
// owners of its fields. A client that relies on them does not notice a lost value if they do not
// show it, so a finding says what they show.

// AddOwners adds to a finding what generation and managedFields say of its value before and after
// the value changed. An unknown body is "", and adds nothing.
func AddOwners(ev *trace.Evidence, f *result.Finding, before, after string) {
	p := trace.ParsePath(f.Path)
	if len(p) == 0 {
		return
	}
	was, is := ev.OwnershipOf(before).Generation, ev.OwnershipOf(after).Generation
	if trace.IsOfSpec(p) && was != "" && was == is {
		f.Generation = term.Unmoved
	}
	if f.Outcome == term.Lost || f.Check == term.CheckNothingLost || f.Check == term.CheckRule4 {
		f.ClaimedBy = claimants(ev, after, p)
	}
}

// claimants returns the managers that a body's managedFields name as owners of a value, or of a
// part of it.
func claimants(ev *trace.Evidence, digest string, p fieldpath.Path) []string {
	var all []string
	for _, owner := range ev.OwnershipOf(digest).Owners {
		if owner.Fields.Has(p) || !trace.OwnedBelow(owner.Fields, p).Empty() {
			all = append(all, owner.Manager)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// DescribeOwners adds to each message what generation and managedFields say.
func DescribeOwners(findings []result.Finding) {
	for i := range findings {
		f := &findings[i]
		var all []string
		if f.Generation == term.Unmoved {
			all = append(all, "metadata.generation did not move")
		}
		if len(f.ClaimedBy) > 0 {
			all = append(all, "managedFields still name "+strings.Join(f.ClaimedBy, " and ")+" as its owner")
		}
		if len(all) > 0 {
			f.Message += "; " + strings.Join(all, ", and ")
		}
	}
}
