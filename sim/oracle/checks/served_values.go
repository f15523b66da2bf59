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

// A release can change the meaning of an object that nobody writes: a default of a new field, or
// a value computed from it, shows as soon as the new release reads what the old one stored. A GET
// and a LIST are calls too, so the answers about one stored version are compared with each other.

// disagreement is a value of one stored version that the releases serve differently.
type disagreement struct {
	Timeline *trace.Timeline
	Name     string
	Old, New *trace.Observation
	Was, Is  trace.Turn // of the old release and of the new one; only After and Has are set
}

// Readings is what both releases served of the same stored versions.
type Readings struct {
	Compared      int // stored versions that both releases served, at least in part
	disagreements []disagreement
	since         map[string]int // by copy and path: the step in which the new release disagreed
}

// CompareReadings compares what both releases served of each stored version of the
// copies that do not use the change, value by value. Of a value it returns the first
// version that shows it.
func CompareReadings(ev *trace.Evidence) Readings {
	all := Readings{since: map[string]int{}}
	for _, tl := range ev.Timelines {
		if trace.UsesChange(ev.Calls, tl) || tl.Created == 0 {
			continue
		}
		said := map[string]bool{}
		for i := range tl.Versions {
			if trace.UsesChangeAt(ev.Calls, tl, tl.Versions[i].Step) {
				break // as does all that is stored from then on
			}
			old, new := trace.ServedAs(&tl.Versions[i], term.Old), trace.ServedAs(&tl.Versions[i], term.New)
			if len(old) == 0 || len(new) == 0 {
				continue
			}
			all.Compared++
			if len(old) == 1 && len(new) == 1 && old[0].Answer == new[0].Answer {
				continue
			}
			for _, a := range disagreeIn(ev, tl, old, new) {
				if !said[a.Name] {
					said[a.Name] = true
					all.add(a)
				}
			}
		}
	}
	return all
}

func (r *Readings) add(a disagreement) {
	r.disagreements = append(r.disagreements, a)
	r.since[valueKey(a.Timeline.Copy.Name, a.Name)] = a.New.Step
}

// valueKey names a value of a copy.
func valueKey(name, at string) string { return name + " " + at }

// disagreeIn returns the values of one version on which the releases disagree. A value that one
// release serves in two ways is generated at each read, and left out.
func disagreeIn(ev *trace.Evidence, tl *trace.Timeline, old, new []*trace.Observation) []disagreement {
	was, is := ev.LeavesOf(tl, old[0].Answer), ev.LeavesOf(tl, new[0].Answer)
	var all []disagreement
	for _, name := range trace.Union(was, is) {
		a := disagreement{Timeline: tl, Name: name, Old: old[0], New: new[0]}
		a.Was.After, a.Was.Has = was[name]
		a.Is.After, a.Is.Has = is[name]
		p := at(a)
		if trace.IsServedAlike(a.Was.After, a.Is.After) || !trace.IsSettled(ev, tl, p) || varies(ev, tl, name, old) || varies(ev, tl, name, new) {
			continue
		}
		all = append(all, a)
	}
	return all
}

func at(a disagreement) fieldpath.Path {
	if a.Was.Has {
		return a.Was.After.Path
	}
	return a.Is.After.Path
}

// varies reports whether answers show several values at a path.
func varies(ev *trace.Evidence, tl *trace.Timeline, name string, answers []*trace.Observation) bool {
	first := ev.LeavesOf(tl, answers[0].Answer)[name]
	for _, obs := range answers[1:] {
		if !trace.IsServedAlike(first, ev.LeavesOf(tl, obs.Answer)[name]) {
			return true
		}
	}
	return false
}

// disagree reports whether the releases serve a copy's value differently from the same stored
// version, so that a difference between them says nothing about the store.
func (r *Readings) disagree(tl *trace.Timeline, name string) bool {
	return r.since[valueKey(tl.Copy.Name, name)] > 0
}

// judgeReadings reports values that the releases serve differently. It removes findings about
// later calls with the same value: the first finding about a copy's value is reported.
func judgeReadings(ev *trace.Evidence, readings Readings, j *blame.Judged) {
	j.Facts += readings.Compared
	told := map[string]int{} // by copy and path: the step of the first call
	kept := j.Findings[:0]
	for _, f := range j.Findings {
		key := valueKey(f.Copy, f.Path)
		if at := readings.since[key]; at > 0 && at < f.Step {
			continue
		}
		if at, known := told[key]; !known || f.Step < at {
			told[key] = f.Step
		}
		kept = append(kept, f)
	}
	j.Findings = kept
	judgeVaries(ev, readings, j)
	judgeSticks(ev, readings, j)
	for _, a := range readings.disagreements {
		if at, known := told[valueKey(a.Timeline.Copy.Name, a.Name)]; !known || a.New.Step < at {
			j.Findings = append(j.Findings, servedOtherwiseByNew(ev, a))
		}
	}
}

func servedOtherwiseByNew(ev *trace.Evidence, a disagreement) result.Finding {
	tl, obs := a.Timeline, a.New
	f := blame.NewCollector(ev, tl, term.CheckRule2, obs.Step)
	f.Outcome, f.Path = term.Changed, a.Name
	f.Class, f.Rule = classOfServed(ev, a, !a.Is.Has)
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	was, is := "nothing there", "no "+a.Name
	if a.Was.Has {
		f.Before = blame.Redacted(ev, tl, a.Name, a.Was.After.Value)
		was = schema.Text(f.Before)
	}
	if a.Is.Has {
		f.After = blame.Redacted(ev, tl, a.Name, a.Is.After.Value)
		is = a.Name + " = " + schema.Text(f.After)
		f.Cause = causeOfReading(ev, a, a.Is.After)
	} else {
		f.Outcome = ev.OutcomeOfGone(tl, obs.Revision, a.Was.After)
		if blame.Prunes(ev, tl, obs.Role, at(a)) {
			f.Cause = term.Pruned
		}
	}
	blame.AddOwners(ev, &f, a.Old.Answer, obs.Answer)
	f.Message = fmt.Sprintf("%s %s: %s (%s) serves %s in step %d (%s), and of the same stored value %s (%s) serves %s in step %d (%s)%s: %s; %s under %s",
		f.Kind, f.Copy, obs.Replica, f.Release, is, obs.Step, f.Stage,
		a.Old.Replica, ev.History.Releases[a.Old.Role].Version, was, a.Old.Step, ev.Steps[a.Old.Step].Stage, blame.CauseClause(ev, f),
		term.Rules().Meaning(f.Rule), f.Class, f.Rule)
	return f
}

// classOfServed returns the class and the rule of a value that the new release serves otherwise. It may
// hide a field that the old release publishes as removable.
func classOfServed(ev *trace.Evidence, a disagreement, hidden bool) (term.Class, term.Rule) {
	if hidden && blame.Retired(ev, a.Timeline, at(a)) {
		return term.Impact, term.RuleLifecycle
	}
	return term.Violation, term.Rule2
}

// appears reports whether the new release fills a value in on reads: the old one shows none in
// the same stored version, and no client ever sent one. Values of the status are computed and do
// not count.
func appears(ev *trace.Evidence, a disagreement) bool {
	p := at(a)
	computed := path.Contains(trace.StatusPath(), p) && trace.HasStatus(ev.Trace, a.Timeline, a.New.Role)
	return a.Is.Has && !a.Was.Has && !computed && ev.Declares(a.Old.Role, a.Timeline, p) && !sentBefore(ev, a.Timeline, a.New.Step, p)
}

// sentBefore reports whether a client had sent the copy a value at a path by a step.
func sentBefore(ev *trace.Evidence, tl *trace.Timeline, step int, at fieldpath.Path) bool {
	return slices.ContainsFunc(tl.AckedValues, func(acked *trace.AckedValue) bool { return acked.Offered <= step && path.Contains(at, acked.Leaf.Path) }) ||
		slices.ContainsFunc(tl.Acts, func(number int) bool { return number <= step && trace.WasSent(ev, tl, ev.Acts[number], at) })
}
