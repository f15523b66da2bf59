package checks

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// rollback is one rollback of the plan, by the indexes of its stages: the first in which a new
// server serves, the first in which a replica returns to the old release, and the first in which
// all have returned.
type rollback struct{ ahead, begun, done int }

// rollbacks returns the plan's rollbacks, derived from the releases of its replicas.
func rollbacks(p plan.Plan) []rollback {
	var all []rollback
	first, begun, last, before := 0, 0, 0, 0
	for i, stage := range p.Stages {
		ahead, behind := 0, 0
		for _, r := range stage.Replicas {
			if r.Role == term.New {
				ahead++
			} else {
				behind++
			}
		}
		if last == 0 && ahead > 0 {
			first = i
		}
		switch {
		case ahead > last:
			begun = 0
		case i > 0 && behind > before && begun == 0:
			begun = i
		}
		if ahead == 0 && begun > 0 {
			all = append(all, rollback{first, begun, i})
			begun = 0
		}
		last, before = ahead, behind
	}
	return all
}

// RollsBack reports whether some of the steps create, before a rollback that completes, a copy
// that does not use the change, of a kind that the old release serves.
func RollsBack(ev *trace.Evidence, steps []int) bool {
	all := rollbacks(ev.History.Header.Plan)
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	for _, number := range steps {
		at := ev.Steps[number]
		if tl := ev.ByCopy[at.Step.Copy]; at.Step.CreatesCopy() && tl != nil && !trace.UsesChange(ev.Calls, tl) && at.StageIndex < last.begun && !neverBack(ev, tl, all) &&
			ev.MayServeKind(term.Old, tl.Manifest.APIVersion, tl.Manifest.Kind) {
			return true
		}
	}
	return false
}

// neverBack reports whether no rollback restored the copy's definition: servers refused to take
// the old one.
func neverBack(ev *trace.Evidence, tl *trace.Timeline, all []rollback) bool {
	return !slices.ContainsFunc(all, func(back rollback) bool {
		steps := ev.History.Header.Plan.Stages[back.done].Steps
		return len(steps) == 0 || !ev.KeepsNewDefinition(tl, steps[len(steps)-1].Number)
	})
}

// Rule6 judges that an object which does not use the change is served after a rollback as it was
// before, to the last value, unless an operation wrote it in between. "Before" is before a new
// server served at all, or after the last operation that wrote the copy since; and, in addition,
// right before the rollback began. Its facts are the answers about such copies after a rollback.
// Values that clients sent and that were lost are reported by nothing-lost.
func (r Readings) Rule6(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	all := rollbacks(ev.History.Header.Plan)
	for _, tl := range ev.Timelines {
		if trace.UsesChange(ev.Calls, tl) || tl.Created == 0 {
			continue
		}
		for _, back := range all {
			judgeRollback(ev, tl, back, r, &j)
		}
	}
	return j
}

func judgeRollback(ev *trace.Evidence, tl *trace.Timeline, back rollback, readings Readings, j *blame.Judged) {
	references := befores(ev, tl, back)
	said := map[string]bool{}
	for i := range tl.Observations {
		obs := &tl.Observations[i]
		if ev.Steps[obs.Step].StageIndex != back.done || !trace.Served(*obs) || obs.Role != term.Old || trace.UsesChangeAt(ev.Calls, tl, obs.Step) {
			continue
		}
		judged := false
		for _, before := range references {
			// A replica's cache may lag: an answer older than the observation before says
			// nothing.
			if obs.Revision < before.Revision || writtenBetween(ev, tl, before, *obs) {
				continue
			}
			judged = true
			if obs.Answer != before.Answer { // not byte for byte the same
				compareServed(ev, tl, before, *obs, readings, said, j)
			}
		}
		if judged {
			j.Facts++
		}
	}
}

// befores returns the observations with which those after a rollback are compared: before a new
// server served, after the last write since, and before the rollback.
func befores(ev *trace.Evidence, tl *trace.Timeline, back rollback) []trace.Observation {
	var all []trace.Observation
	last := lastWrite(ev, tl, back)
	if last == 0 {
		if obs := lastObservation(ev, tl, 0, back.ahead); obs != nil {
			all = append(all, *obs)
		}
	} else if obs := firstObservation(ev, tl, last, back.done); obs != nil {
		all = append(all, *obs)
	}
	if obs := lastObservation(ev, tl, last, back.begun); obs != nil && !slices.Contains(all, *obs) {
		all = append(all, *obs)
	}
	return all
}

// lastWrite returns the last operation that may have written the copy between the start of the
// first new server and the end of the rollback; 0 if none did.
func lastWrite(ev *trace.Evidence, tl *trace.Timeline, back rollback) int {
	last := 0
	for _, number := range tl.Acts {
		if i := ev.Steps[number].StageIndex; mayHaveWritten(ev, number) && i >= back.ahead && i < back.done {
			last = number
		}
	}
	return last
}

func mayHaveWritten(ev *trace.Evidence, number int) bool {
	x := ev.Acts[number].Exchange
	return ev.Steps[number].Step.Verb.Writes() && (x.Succeeded() || trace.IsUnclear(x))
}

// lastObservation returns the last answer that showed the copy before a stage and not before a
// step, preferably of the old release if it showed the same stored version.
func lastObservation(ev *trace.Evidence, tl *trace.Timeline, from, stage int) *trace.Observation {
	var found *trace.Observation
	for i := range tl.Observations {
		obs := &tl.Observations[i]
		if ev.Steps[obs.Step].StageIndex >= stage || obs.Step < from || !trace.Served(*obs) {
			continue
		}
		sameValue := found != nil && found.Revision == obs.Revision
		if found == nil || obs.Revision > found.Revision || sameValue && (obs.Role == term.Old || found.Role == term.New) {
			found = obs
		}
	}
	return found
}

// firstObservation returns the first answer, before a stage, that showed the copy as a step left
// it, preferably of the old release if it showed the same.
func firstObservation(ev *trace.Evidence, tl *trace.Timeline, step, stage int) *trace.Observation {
	var found *trace.Observation
	for i := range tl.Observations {
		obs := &tl.Observations[i]
		if ev.Steps[obs.Step].StageIndex >= stage || obs.Step < step || obs.Step == step && obs.Purpose != history.Look || !trace.Served(*obs) {
			continue
		}
		if found == nil || obs.Revision == found.Revision && obs.Role == term.Old && found.Role == term.New {
			found = obs
		}
	}
	return found
}

// writtenBetween reports whether an operation of the scenario may have written the copy after the
// first observation and by the time of the second. Revisions decide if the answer has one: the
// operations of a stage overlap, so the numbers of their steps do not.
func writtenBetween(ev *trace.Evidence, tl *trace.Timeline, before, obs trace.Observation) bool {
	return slices.ContainsFunc(tl.Acts, func(number int) bool {
		if !mayHaveWritten(ev, number) {
			return false
		}
		x, at := ev.Acts[number].Exchange, ev.Steps[number]
		if x.Revision > 0 && !at.Step.Verb.OfCollection() { // the revision of a list belongs to any object
			return x.Revision > before.Revision && x.Revision <= obs.Revision
		}
		overlaps := obs.IsListItem() && at.StageIndex == ev.Steps[obs.Step].StageIndex && ev.Steps[obs.Step].Step.Action == plan.Operate
		by := number <= obs.Step && !(number == obs.Step && obs.Purpose == history.Read)
		return number > before.Step && (by || overlaps)
	})
}

func compareServed(ev *trace.Evidence, tl *trace.Timeline, before, obs trace.Observation, readings Readings, said map[string]bool, j *blame.Judged) {
	was, is := ev.LeavesOf(tl, before.Answer), ev.LeavesOf(tl, obs.Answer)
	for _, name := range trace.Union(was, is) {
		one, had := was[name]
		other, has := is[name]
		p := one.Path
		if !had {
			p = other.Path
		}
		if trace.IsServedAlike(one, other) || said[name] || !trace.IsSettled(ev, tl, p) ||
			before.Role != obs.Role && readings.disagree(tl, name) { // rule-2 reports it
			continue
		}
		said[name] = true
		j.Findings = append(j.Findings, servedOtherwise(ev, tl, before, obs, name, one, other, had, has))
	}
}

func servedOtherwise(ev *trace.Evidence, tl *trace.Timeline, before, obs trace.Observation, name string, one, other schema.Leaf, had, has bool) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckRule6, obs.Step)
	f.Client, f.Verb, f.Read, f.Encoding, f.FieldValidation = "", "", "", "", "" // the client that read did not cause it
	f.Rule, f.Class, f.Outcome, f.Path = term.Rule6, term.Violation, term.Changed, name
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	was, is := "nothing there", "nothing there"
	if had {
		f.Before = blame.Redacted(ev, tl, name, one.Value)
		was = schema.Text(f.Before)
	}
	if has {
		f.After = blame.Redacted(ev, tl, name, other.Value)
		is = schema.Text(f.After)
		if ev.IsPublishedDefault(tl, obs.Role, other) {
			f.Cause = term.Defaulted
		}
	} else {
		f.Outcome = ev.OutcomeOfGone(tl, obs.Revision, one)
	}
	blame.AddOwners(ev, &f, before.Answer, obs.Answer)
	f.Message = fmt.Sprintf("%s %s: %s served %s = %s in step %d (%s), before the rollback; %s (%s) serves %s in step %d (%s), and no operation wrote it%s; %s under %s",
		f.Kind, f.Copy, ev.History.Releases[before.Role].Version, name, was, before.Step, ev.Steps[before.Step].Stage,
		obs.Replica, f.Release, is, obs.Step, f.Stage, blame.OwnWritesText(ev, tl, before.Revision, obs.Revision), f.Class, f.Rule)
	return f
}
