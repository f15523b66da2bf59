package oracle

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// One value under several names has one value: a scenario says of which paths
// that is so. Who changes it by one name has changed it by all.

// drift is an answer that shows two members of a group with different values.
type drift struct {
	version    *version
	sight      *sight
	kept, left schema.Leaf // what the write meant, and what it left as it was
	values     string      // both, whichever was meant
}

// judgeEqual judges that each stored version of a copy is served with equal values
// at all members of each group. Its facts are the answers that show two of them.
// Of what stays apart the first is told.
func (e *evidence) judgeEqual(l *life, groups [][]fieldpath.Path, j *judged) {
	said := map[string]bool{}
	for _, group := range groups {
		for i := range l.versions {
			v := &l.versions[i]
			for _, role := range newestFirst() {
				for _, s := range servedAs(v, role) {
					members := membersIn(group, e.leavesOf(l, s.answer))
					if len(members) < 2 {
						continue
					}
					j.facts++
					d, apart := e.driftIn(v, s, members)
					if apart && !said[d.values] {
						said[d.values] = true
						j.findings = append(j.findings, e.driftFinding(l, d))
					}
				}
			}
		}
	}
}

// membersIn are the members of a group that an answer shows, in the group's order.
func membersIn(group []fieldpath.Path, leaves schema.Leaves) []schema.Leaf {
	var all []schema.Leaf
	for _, member := range group {
		if leaf, shown := leaves[path.String(member)]; shown {
			all = append(all, leaf)
		}
	}
	return all
}

// driftIn are the first two members that differ; of them the one that the write
// named is what it meant.
func (e *evidence) driftIn(v *version, s *sight, members []schema.Leaf) (drift, bool) {
	first := members[0]
	i := slices.IndexFunc(members, func(leaf schema.Leaf) bool { return leaf.Semantic != first.Semantic })
	if i < 0 {
		return drift{}, false
	}
	d := drift{v, s, first, members[i], fmt.Sprint(text(first.Path), first.Semantic, text(members[i].Path), members[i].Semantic)}
	step := e.steps[v.step].step
	if isAbout(named("", step), d.left.Path) && !isAbout(named("", step), d.kept.Path) {
		d.kept, d.left = d.left, d.kept
	}
	return d, true
}

func (e *evidence) driftFinding(l *life, d drift) result.Finding {
	f := e.finding(l, term.NothingLost, d.version.step)
	f.Class, f.Rule, f.State, f.Path = term.Violation, term.Rule2, term.Changed, path.String(d.left.Path)
	f.Before, f.After = e.shown(l, path.String(d.kept.Path), d.kept.Value), e.shown(l, f.Path, d.left.Value)
	when := "what the servers themselves stored"
	if f.Step > 0 {
		when = fmt.Sprintf("what step %d (%s: %s) stored", f.Step, f.Stage, e.made(f.Step))
	}
	f.Message = fmt.Sprintf("%s %s: of %s %s (%s) shows %s = %s and %s = %s, which are one value under two names; %s under %s",
		f.Kind, f.Copy, when, d.sight.replica, e.history.Releases[d.sight.role].Version,
		path.String(d.kept.Path), schema.Text(f.Before), f.Path, schema.Text(f.After), f.Class, f.Rule)
	return f
}
