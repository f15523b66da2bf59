package agreement

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Readings compares what both releases served of each stored version of the
// copies that do not use the change, value by value. Of a value the first
// version that shows it is told.
func Readings(tr *trace.Trace) ([]trace.Disagreement, int) {
	var all []trace.Disagreement
	compared := 0
	for _, tl := range tr.ByCopy {
		if evidence.Uses(tr.Calls, tl) || tl.Created == 0 {
			continue
		}
		said := map[string]bool{}
		for i := range tl.Versions {
			if evidence.UsesIn(tr.Calls, tl, tl.Versions[i].Step) {
				break // and so does all that is stored from then on
			}
			old, new := trace.ServedAs(&tl.Versions[i], term.Old), trace.ServedAs(&tl.Versions[i], term.New)
			if len(old) == 0 || len(new) == 0 {
				continue
			}
			compared++
			if len(old) == 1 && len(new) == 1 && old[0].Answer == new[0].Answer {
				continue
			}
			for _, a := range disagreeIn(tr, tl, old, new) {
				if !said[a.Name] {
					said[a.Name] = true
					all = append(all, a)
				}
			}
		}
	}
	return all, compared
}

// disagreeIn are the values of one version that the releases do not agree on. One
// that a release itself serves in two ways is drawn at each read.
func disagreeIn(tr *trace.Trace, tl *trace.Timeline, old, new []*trace.Observation) []trace.Disagreement {
	was, is := tr.LeavesOf(tl, old[0].Answer), tr.LeavesOf(tl, new[0].Answer)
	var all []trace.Disagreement
	for _, name := range trace.Union(was, is) {
		a := trace.Disagreement{L: tl, Name: name, Old: old[0], New: new[0]}
		a.Was.After, a.Was.Has = was[name]
		a.Is.After, a.Is.Has = is[name]
		p := at(a)
		if trace.AlikeServed(a.Was.After, a.Is.After) || !evidence.Settled(tr, tl, p) || evidence.IsTold(tr.Calls, tl, p) || varies(tr, tl, name, old) || varies(tr, tl, name, new) {
			continue
		}
		all = append(all, a)
	}
	return all
}

func at(a trace.Disagreement) fieldpath.Path {
	if a.Was.Has {
		return a.Was.After.Path
	}
	return a.Is.After.Path
}

// varies tells whether answers show a value in several ways.
func varies(tr *trace.Trace, tl *trace.Timeline, name string, answers []*trace.Observation) bool {
	first := tr.LeavesOf(tl, answers[0].Answer)[name]
	for _, obs := range answers[1:] {
		if !trace.AlikeServed(first, tr.LeavesOf(tl, obs.Answer)[name]) {
			return true
		}
	}
	return false
}

// disagree tells whether the releases serve a copy's value differently from what
// is stored, so that a difference between them says nothing of the store.
func disagree(c *trace.Calls, tl *trace.Timeline, name string) bool {
	return c.DisagreeAt[tl.Copy.Name+" "+name] > 0
}

// judgeReadings tells of what is served otherwise, and takes out of the findings
// about calls what that told before them: of a copy's value the first is told.
func judgeReadings(tr *trace.Trace, j *finding.Judged) {
	j.Facts += tr.Calls.Compared
	told := map[string]int{} // by copy and path: the step of the first call
	kept := j.Findings[:0]
	for _, f := range j.Findings {
		key := f.Copy + " " + f.Path
		if at := tr.Calls.DisagreeAt[key]; at > 0 && at < f.Step {
			continue
		}
		if at, known := told[key]; !known || f.Step < at {
			told[key] = f.Step
		}
		kept = append(kept, f)
	}
	j.Findings = kept
	judgeVaries(tr, j)
	judgeSticks(tr, j)
	for _, a := range tr.Calls.Disagreements {
		if at, known := told[a.L.Copy.Name+" "+a.Name]; !known || a.New.Step < at {
			j.Findings = append(j.Findings, servedOtherwiseByNew(tr, a))
		}
	}
}

func servedOtherwiseByNew(tr *trace.Trace, a trace.Disagreement) result.Finding {
	tl, obs := a.L, a.New
	f := finding.Finding(tr, tl, term.CheckRule2, obs.Step)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Changed, a.Name
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, tr.History.Releases[obs.Role].Version
	was, is := "nothing there", "no "+a.Name
	if a.Was.Has {
		f.Before = finding.Shown(tr, tl, a.Name, a.Was.After.Value)
		was = schema.Text(f.Before)
	}
	if a.Is.Has {
		f.After = finding.Shown(tr, tl, a.Name, a.Is.After.Value)
		is = a.Name + " = " + schema.Text(f.After)
		f.Cause = causeOfReading(tr, a, a.Is.After)
	} else {
		f.State = tr.StateOfGone(tl, obs.Revision, a.Was.After)
		if blame.Prunes(tr, tl, obs.Role, at(a)) {
			f.Cause = term.Pruned
		}
	}
	finding.CloseBooks(tr, &f, a.Old.Answer, obs.Answer)
	f.Message = fmt.Sprintf("%s %s: %s (%s) serves %s in step %d (%s), and of the same stored value %s (%s) serves %s in step %d (%s)%s: %s; %s under %s",
		f.Kind, f.Copy, obs.Replica, f.Release, is, obs.Step, f.Stage,
		a.Old.Replica, tr.History.Releases[a.Old.Role].Version, was, a.Old.Step, tr.Steps[a.Old.Step].Stage, finding.Because(f.Cause),
		term.Rules().Meaning(f.Rule), f.Class, f.Rule)
	return f
}

// appears tells whether the new release fills a value in as it reads: the old one shows
// nothing there of the same stored value, and no client ever sent any. What a server
// says of an object, in its status, it computes.
func appears(tr *trace.Trace, a trace.Disagreement) bool {
	p := at(a)
	computed := path.Contains(evidence.StatusPath(), p) && evidence.HasStatus(tr, a.L, a.New.Role)
	return a.Is.Has && !a.Was.Has && !computed && tr.Declares(a.Old.Role, a.L, p) && !sentBefore(tr, a.L, a.New.Step, p)
}

// sentBefore tells whether a client had sent the copy anything at a place by a step.
func sentBefore(tr *trace.Trace, tl *trace.Timeline, step int, at fieldpath.Path) bool {
	return slices.ContainsFunc(tl.Entries, func(acked *trace.AckedValue) bool { return acked.Offered <= step && path.Contains(at, acked.Leaf.Path) }) ||
		slices.ContainsFunc(tl.Acts, func(number int) bool { return number <= step && evidence.WasSent(tr, tl, tr.Acts[number], at) })
}
