package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// While replicas of two releases serve side by side, a value of which they do not
// agree is one or the other by chance: it depends on which replica a client happens
// to reach. That an upgrade changes what is served is one fact; that a client sees
// the value come and go is another.

// chance is a value that two replicas served differently at one stage, of one
// stored version.
type chance struct {
	old, new *sight
	was, is  schema.Leaf
}

// judgeVaries tells of the values that the releases disagree about, where replicas
// of both were asked at one stage.
func (e *evidence) judgeVaries(j *judged) {
	for _, a := range e.calls.disagreements {
		if c, found := e.chanceOf(a); found {
			j.findings = append(j.findings, e.servedByChance(a, c))
		}
	}
}

// chanceOf is the first stage at which both releases served the value, each in its
// own way.
func (e *evidence) chanceOf(a disagreement) (chance, bool) {
	type spot struct {
		revision int64
		stage    int
	}
	seen := map[spot]map[term.Role]*sight{}
	for i := range a.l.sights {
		s := &a.l.sights[i]
		if !served(*s) || s.revision < a.old.revision || e.calls.usesIn(a.l, s.step) {
			continue
		}
		at := spot{s.revision, e.steps[s.step].index}
		if seen[at] == nil {
			seen[at] = map[term.Role]*sight{}
		}
		if seen[at][s.role] == nil {
			seen[at][s.role] = s
		}
		c := chance{old: seen[at][term.Old], new: seen[at][term.New]}
		if c.old == nil || c.new == nil {
			continue
		}
		c.was, c.is = e.leavesOf(a.l, c.old.answer)[a.name], e.leavesOf(a.l, c.new.answer)[a.name]
		if !alikeServed(c.was, c.is) {
			return c, true
		}
	}
	return chance{}, false
}

func (e *evidence) servedByChance(a disagreement, c chance) result.Finding {
	s := c.new
	if c.old.step > s.step {
		s = c.old
	}
	f := e.finding(a.l, term.CheckRule2, s.step)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Varies, a.name
	f.Replica, f.Via, f.Release = c.new.replica, c.new.role, e.history.Releases[term.New].Version
	f.Cause = e.causeOfReading(a, c.is)
	was, is := "nothing there", "nothing there"
	if c.was.Path != nil {
		f.Before = e.shown(a.l, a.name, c.was.Value)
		was = schema.Text(f.Before)
	}
	if c.is.Path != nil {
		f.After = e.shown(a.l, a.name, c.is.Value)
		is = schema.Text(f.After)
	}
	e.closeBooks(&f, c.old.answer, c.new.answer)
	f.Message = fmt.Sprintf("%s %s: what %s is depends on which replica answers: at %s, of one stored value, %s (%s) serves %s in step %d, and %s (%s) serves %s in step %d; %s under %s",
		f.Kind, f.Copy, a.name, f.Stage, c.new.replica, f.Release, is, c.new.step,
		c.old.replica, e.history.Releases[term.Old].Version, was, c.old.step, f.Class, f.Rule)
	return f
}

// causeOfReading is why the new release serves a value as it does, of what the old
// one serves otherwise.
func (e *evidence) causeOfReading(a disagreement, leaf schema.Leaf) term.Cause {
	if leaf.Path != nil && (e.isPublishedDefault(a.l, term.New, leaf) || e.appears(a)) {
		return term.Defaulted
	}
	return term.Unattributed
}
