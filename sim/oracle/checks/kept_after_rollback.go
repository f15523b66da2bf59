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

// A default that the new release fills in on reads disappears after a rollback, as long as
// nothing was stored. One write through a new server, of any other value, stores the default.
// From then on the old release serves it too, and the rollback does not restore the previous
// state. Rule-6 does not judge that, since an operation wrote the object; but no operation named
// this value, and its appearance breaks rule-2.

// judgeSticks reports values that appeared with the new release and that the old one serves after
// a rollback: once for each copy and value.
func judgeSticks(ev *trace.Evidence, readings Readings, j *blame.Judged) {
	all := rollbacks(ev.History.Header.Plan)
	for _, a := range readings.disagreements {
		if !appears(ev, a) {
			continue
		}
		for _, back := range all {
			if obs := stuck(ev, a, back); obs != nil {
				j.Findings = append(j.Findings, sticks(ev, a, obs))
				break
			}
		}
	}
}

// stuck returns the first answer of the old release after a rollback that shows a value which
// appeared before; nil if none exists, or if a client sent the value.
func stuck(ev *trace.Evidence, a disagreement, back rollback) *trace.Observation {
	if ev.Steps[a.New.Step].StageIndex >= back.done {
		return nil
	}
	for i := range a.Timeline.Observations {
		obs := &a.Timeline.Observations[i]
		if ev.Steps[obs.Step].StageIndex != back.done || !trace.Served(*obs) || obs.Role != term.Old || trace.UsesChangeAt(ev.Calls, a.Timeline, obs.Step) {
			continue
		}
		leaf, there := ev.LeavesOf(a.Timeline, obs.Answer)[a.Name]
		if there && trace.IsServedAlike(leaf, a.Is.After) && !askedFor(ev, a.Timeline, obs.Step, at(a)) {
			return obs
		}
	}
	return nil
}

// askedFor reports whether, up to a step, an operation named a path or a client sent a value
// there.
func askedFor(ev *trace.Evidence, tl *trace.Timeline, step int, at fieldpath.Path) bool {
	return sentBefore(ev, tl, step, at) || slices.ContainsFunc(tl.Acts, func(number int) bool {
		return number <= step && slices.ContainsFunc(trace.NamedPaths(tl.Manifest.Kind, ev.Steps[number].Step), func(p fieldpath.Path) bool { return path.Contains(p, at) })
	})
}

func sticks(ev *trace.Evidence, a disagreement, obs *trace.Observation) result.Finding {
	f := blame.NewCollector(ev, a.Timeline, term.CheckRule2, obs.Step)
	f.Rule, f.Class, f.Outcome, f.Path, f.Cause = term.Rule2, term.Violation, term.Changed, a.Name, term.Defaulted
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	f.After = blame.Redacted(ev, a.Timeline, a.Name, a.Is.After.Value)
	blame.AddOwners(ev, &f, a.Old.Answer, obs.Answer)
	f.Message = fmt.Sprintf("%s %s: %s = %s, which appeared when %s read the object in step %d (%s) and which no client sent, stays after the rollback: %s (%s) serves it in step %d (%s), and served nothing there in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, a.Name, schema.Text(f.After), ev.History.Releases[term.New].Version, a.New.Step, ev.Steps[a.New.Step].Stage,
		obs.Replica, f.Release, obs.Step, f.Stage, a.Old.Step, ev.Steps[a.Old.Step].Stage, storedIn(ev, a), f.Class, f.Rule)
	return f
}

// storedIn says which operation stored a value: the one that wrote the first version in which the
// old release shows it.
func storedIn(ev *trace.Evidence, a disagreement) string {
	for i := range a.Timeline.Versions {
		v := &a.Timeline.Versions[i]
		for _, obs := range v.Views[term.Old] {
			if _, there := ev.LeavesOf(a.Timeline, obs.Answer)[a.Name]; there && obs.ShowsObject() && v.Step > 0 {
				return fmt.Sprintf("; step %d (%s) stored it", v.Step, blame.StepText(ev, v.Step))
			}
		}
	}
	return ""
}
