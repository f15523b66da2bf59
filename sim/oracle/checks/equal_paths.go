package checks

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// A value under several names is one value: the scenario declares such paths. A client that
// changes it by one name has changed it by all.

// drift is an answer that shows two members of a group with different values.
type drift struct {
	version    *trace.StoredVersion
	obs        *trace.Observation
	kept, left schema.Leaf // what the write changed, and what it left unchanged
	values     string      // both, whichever was changed
}

// judgeEqual judges that each stored version of a copy is served with equal values at all members
// of each group. Its facts are the answers that show two of them. Of members that stay different
// the first answer is reported.
func judgeEqual(ev *trace.Evidence, tl *trace.Timeline, groups [][]fieldpath.Path, j *blame.Judged) {
	said := map[string]bool{}
	for _, group := range groups {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			for _, role := range trace.NewestFirst() {
				for _, obs := range trace.ServedAs(v, role) {
					members := membersIn(group, ev.LeavesOf(tl, obs.Answer))
					if len(members) < 2 {
						continue
					}
					j.Facts++
					d, apart := driftIn(ev, v, obs, members)
					if apart && !said[d.values] {
						said[d.values] = true
						j.Findings = append(j.Findings, driftFinding(ev, tl, d))
					}
				}
			}
		}
	}
}

// membersIn returns the members of a group that an answer shows, in the group's order.
func membersIn(group []fieldpath.Path, leaves schema.Leaves) []schema.Leaf {
	var all []schema.Leaf
	for _, member := range group {
		if leaf, shown := leaves[path.String(member)]; shown {
			all = append(all, leaf)
		}
	}
	return all
}

// driftIn returns the first two members that differ; the one that the write named is the intended
// value.
func driftIn(ev *trace.Evidence, v *trace.StoredVersion, obs *trace.Observation, members []schema.Leaf) (drift, bool) {
	first := members[0]
	i := slices.IndexFunc(members, func(leaf schema.Leaf) bool { return leaf.Semantic != first.Semantic })
	if i < 0 {
		return drift{}, false
	}
	d := drift{v, obs, first, members[i], fmt.Sprint(trace.PathText(first.Path), first.Semantic, trace.PathText(members[i].Path), members[i].Semantic)}
	step := ev.Steps[v.Step].Step
	if trace.IsAbout(trace.NamedPaths("", step), d.left.Path) && !trace.IsAbout(trace.NamedPaths("", step), d.kept.Path) {
		d.kept, d.left = d.left, d.kept
	}
	return d, true
}

func driftFinding(ev *trace.Evidence, tl *trace.Timeline, d drift) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, d.version.Step)
	f.Class, f.Rule, f.Outcome, f.Path = term.Violation, term.Rule2, term.Changed, path.String(d.left.Path)
	f.Before, f.After = blame.Redacted(ev, tl, path.String(d.kept.Path), d.kept.Value), blame.Redacted(ev, tl, f.Path, d.left.Value)
	when := "what the servers themselves stored"
	if f.Step > 0 {
		when = fmt.Sprintf("what step %d (%s: %s) stored", f.Step, f.Stage, blame.StepText(ev, f.Step))
	}
	f.Message = fmt.Sprintf("%s %s: of %s %s (%s) shows %s = %s and %s = %s, which are one value under two names; %s under %s",
		f.Kind, f.Copy, when, d.obs.Replica, ev.History.Releases[d.obs.Role].Version,
		path.String(d.kept.Path), schema.Text(f.Before), f.Path, schema.Text(f.After), f.Class, f.Rule)
	return f
}
