package checks

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// While replicas of two releases serve side by side, a value on which they disagree depends on
// the replica that a client happens to reach. That an upgrade changes what is served is one fact;
// that a client sees the value come and go is another.

// chance is a value of one stored version that two replicas served differently in one stage.
type chance struct {
	old, new *trace.Observation
	was, is  schema.Leaf
}

// judgeVaries reports the values on which the releases disagree, if replicas of both answered in
// one stage.
func judgeVaries(ev *trace.Evidence, readings Readings, j *blame.Judged) {
	for _, a := range readings.disagreements {
		if c, found := chanceOf(ev, a); found {
			j.Findings = append(j.Findings, servedByChance(ev, a, c))
		}
	}
}

// chanceOf returns the first stage in which both releases served the value, differently.
func chanceOf(ev *trace.Evidence, a disagreement) (chance, bool) {
	type spot struct {
		revision int64
		stage    int
	}
	seen := map[spot]map[term.Role]*trace.Observation{}
	for i := range a.Timeline.Observations {
		obs := &a.Timeline.Observations[i]
		if !trace.Served(*obs) || obs.Revision < a.Old.Revision || trace.UsesChangeAt(ev.Calls, a.Timeline, obs.Step) {
			continue
		}
		at := spot{obs.Revision, ev.Steps[obs.Step].StageIndex}
		if seen[at] == nil {
			seen[at] = map[term.Role]*trace.Observation{}
		}
		if seen[at][obs.Role] == nil {
			seen[at][obs.Role] = obs
		}
		c := chance{old: seen[at][term.Old], new: seen[at][term.New]}
		if c.old == nil || c.new == nil {
			continue
		}
		c.was, c.is = ev.LeavesOf(a.Timeline, c.old.Answer)[a.Name], ev.LeavesOf(a.Timeline, c.new.Answer)[a.Name]
		if !trace.IsServedAlike(c.was, c.is) {
			return c, true
		}
	}
	return chance{}, false
}

func servedByChance(ev *trace.Evidence, a disagreement, c chance) result.Finding {
	obs := c.new
	if c.old.Step > obs.Step {
		obs = c.old
	}
	f := blame.NewCollector(ev, a.Timeline, term.CheckRule2, obs.Step)
	f.Outcome, f.Path = term.Varies, a.Name
	f.Class, f.Rule = classOfServed(ev, a, c.is.Path == nil)
	f.Replica, f.Via, f.Release = c.new.Replica, c.new.Role, ev.History.Releases[term.New].Version
	f.Cause = causeOfReading(ev, a, c.is)
	was, is := "nothing there", "nothing there"
	if c.was.Path != nil {
		f.Before = blame.Redacted(ev, a.Timeline, a.Name, c.was.Value)
		was = schema.Text(f.Before)
	}
	if c.is.Path != nil {
		f.After = blame.Redacted(ev, a.Timeline, a.Name, c.is.Value)
		is = schema.Text(f.After)
	}
	blame.AddOwners(ev, &f, c.old.Answer, c.new.Answer)
	f.Message = fmt.Sprintf("%s %s: what %s is depends on which replica answers: at %s, of one stored value, %s (%s) serves %s in step %d, and %s (%s) serves %s in step %d; %s under %s",
		f.Kind, f.Copy, a.Name, f.Stage, c.new.Replica, f.Release, is, c.new.Step,
		c.old.Replica, ev.History.Releases[term.Old].Version, was, c.old.Step, f.Class, f.Rule)
	return f
}

// causeOfReading returns why the new release serves a value differently from the old one.
func causeOfReading(ev *trace.Evidence, a disagreement, leaf schema.Leaf) term.Cause {
	if leaf.Path != nil && (ev.IsPublishedDefault(a.Timeline, term.New, leaf) || appears(ev, a)) {
		return term.Defaulted
	}
	return term.Unattributed
}
