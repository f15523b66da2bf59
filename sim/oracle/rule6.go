package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// rollback is one roll-back of the plan, by the indexes of its stages: the
// first in which a new server serves, the first in which a replica goes back to
// the old release, and the first in which all have.
type rollback struct{ ahead, begun, done int }

// rollbacks are the plan's, told by what its replicas run.
func rollbacks(p plan.Plan) []rollback {
	var all []rollback
	first, begun, last := 0, 0, 0
	for i, stage := range p.Stages {
		ahead := 0
		for _, r := range stage.Replicas {
			if r.Role == term.New {
				ahead++
			}
		}
		if last == 0 && ahead > 0 {
			first = i
		}
		switch {
		case ahead > last:
			begun = 0
		case ahead < last && begun == 0:
			begun = i
		}
		if ahead == 0 && begun > 0 {
			all = append(all, rollback{first, begun, i})
			begun = 0
		}
		last = ahead
	}
	return all
}

// rollsBack reports whether some of the steps bring into being, before a roll-back that
// comes to its end, a copy that does not use the change, of a kind that the old release serves.
func rollsBack(e *evidence, steps []int) bool {
	all := rollbacks(e.history.Header.Plan)
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	for _, number := range steps {
		at := e.steps[number]
		if l := e.calls.lives[at.step.Copy]; born(at.step) && l != nil && !e.calls.uses(l) && at.index < last.begun && !e.neverBack(l, all) &&
			e.mayServeKind(term.Old, l.manifest.APIVersion, l.manifest.Kind) {
			return true
		}
	}
	return false
}

// neverBack tells whether no roll-back brought the copy's definition back: servers
// refused to take the old one.
func (e *evidence) neverBack(l *life, all []rollback) bool {
	return !slices.ContainsFunc(all, func(back rollback) bool {
		steps := e.history.Header.Plan.Stages[back.done].Steps
		return len(steps) == 0 || !e.staysAhead(l, steps[len(steps)-1].Number)
	})
}

// rule6 judges that what does not use the change is served after a roll-back as
// it was before, to the last value, unless an operation wrote it in between.
// Before is before a new server served at all, or after the last operation that
// wrote the copy since; and, besides, right before the roll-back began. Its
// facts are the answers about such copies after a roll-back. What clients sent
// and lost is nothing-lost's to tell.
func rule6(e *evidence) judged {
	var j judged
	all := rollbacks(e.history.Header.Plan)
	for _, l := range e.byCopy {
		if e.calls.uses(l) || l.created == 0 {
			continue
		}
		for _, back := range all {
			e.judgeRollback(l, back, &j)
		}
	}
	return j
}

func (e *evidence) judgeRollback(l *life, back rollback, j *judged) {
	references := e.befores(l, back)
	said := map[string]bool{}
	for i := range l.sights {
		s := &l.sights[i]
		if e.steps[s.step].index != back.done || !served(*s) || s.role != term.Old || e.calls.usesIn(l, s.step) {
			continue
		}
		judged := false
		for _, before := range references {
			// A replica's cache may lag: what is older than the sight before says nothing.
			if s.revision < before.revision || e.writtenBetween(l, before, *s) {
				continue
			}
			judged = true
			if s.answer != before.answer { // not the same to the last byte
				e.compareServed(l, before, *s, said, j)
			}
		}
		if judged {
			j.facts++
		}
	}
}

// befores are the sights that those after a roll-back are held against: before
// a new server served, after the last write since, and before the roll-back.
func (e *evidence) befores(l *life, back rollback) []sight {
	var all []sight
	last := e.lastWrite(l, back)
	if last == 0 {
		if s := e.lastSight(l, 0, back.ahead); s != nil {
			all = append(all, *s)
		}
	} else if s := e.firstSight(l, last, back.done); s != nil {
		all = append(all, *s)
	}
	if s := e.lastSight(l, last, back.begun); s != nil && !slices.Contains(all, *s) {
		all = append(all, *s)
	}
	return all
}

// lastWrite is the last operation that may have written the copy from when a
// new server served until all had gone back; 0: none did.
func (e *evidence) lastWrite(l *life, back rollback) int {
	last := 0
	for _, number := range l.acts {
		if i := e.steps[number].index; e.mayHaveWritten(number) && i >= back.ahead && i < back.done {
			last = number
		}
	}
	return last
}

func (e *evidence) mayHaveWritten(number int) bool {
	x := e.acts[number].Exchange
	return e.steps[number].step.Verb.Writes() && (x.Succeeded() || unclear(x))
}

// served tells whether a sight is an answer of a replica with the object in it,
// as it came: what a client's types make of protobuf is not what JSON shows.
func served(s sight) bool { return s.ok() && s.replica != "" && !s.wrote && s.types == "" }

// lastSight is the last answer that showed the copy before a stage and not
// before a step, of the old release where it has shown what was stored then.
func (e *evidence) lastSight(l *life, from, stage int) *sight {
	var found *sight
	for i := range l.sights {
		s := &l.sights[i]
		if e.steps[s.step].index >= stage || s.step < from || !served(*s) {
			continue
		}
		sameValue := found != nil && found.revision == s.revision
		if found == nil || s.revision > found.revision || sameValue && (s.role == term.Old || found.role == term.New) {
			found = s
		}
	}
	return found
}

// firstSight is the first answer that showed the copy as a step left it, before
// a stage: of the old release where that showed the same.
func (e *evidence) firstSight(l *life, step, stage int) *sight {
	var found *sight
	for i := range l.sights {
		s := &l.sights[i]
		if e.steps[s.step].index >= stage || s.step < step || s.step == step && s.purpose != history.Look || !served(*s) {
			continue
		}
		if found == nil || s.revision == found.revision && s.role == term.Old && found.role == term.New {
			found = s
		}
	}
	return found
}

// writtenBetween tells whether an operation of the scenario may have written
// the copy after the one sight, and by the time of the other. Revisions tell,
// where the answer has one: the operations of a stage overlap, so that the
// numbers of their steps do not.
func (e *evidence) writtenBetween(l *life, before, s sight) bool {
	return slices.ContainsFunc(l.acts, func(number int) bool {
		if !e.mayHaveWritten(number) {
			return false
		}
		x, at := e.acts[number].Exchange, e.steps[number]
		if x.Revision > 0 && at.step.Verb != term.DeleteCollection { // that of a list is any object's
			return x.Revision > before.revision && x.Revision <= s.revision
		}
		overlaps := s.list() && at.index == e.steps[s.step].index && e.steps[s.step].step.Action == plan.Operate
		by := number <= s.step && !(number == s.step && s.purpose == history.Read)
		return number > before.step && (by || overlaps)
	})
}

func (e *evidence) compareServed(l *life, before, s sight, said map[string]bool, j *judged) {
	was, is := e.leavesOf(l, before.answer), e.leavesOf(l, s.answer)
	for _, name := range union(was, is) {
		one, had := was[name]
		other, has := is[name]
		p := one.Path
		if !had {
			p = other.Path
		}
		if alikeServed(one, other) || said[name] || !e.settled(l, p) || e.calls.isTold(l, p) ||
			before.role != s.role && e.calls.disagree(l, name) { // rule-2 tells it
			continue
		}
		said[name] = true
		j.findings = append(j.findings, e.servedOtherwise(l, before, s, name, one, other, had, has))
	}
}

// alikeServed tells whether two leaves, or the want of them, mean the same. An
// empty container is as good as none: whether it is shown is the encoder's taste.
func alikeServed(a, b schema.Leaf) bool {
	return a.Semantic == b.Semantic || void(a) && void(b)
}

func void(leaf schema.Leaf) bool { return leaf.Semantic == "" || leaf.Semantic == schema.Empty }

func (e *evidence) servedOtherwise(l *life, before, s sight, name string, one, other schema.Leaf, had, has bool) result.Finding {
	f := e.finding(l, term.CheckRule6, s.step)
	f.Client, f.Verb, f.Read, f.Encoding, f.FieldValidation = "", "", "", "", "" // who looked has not done it
	f.Rule, f.Class, f.State, f.Path = term.Rule6, term.Violation, term.Changed, name
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	was, is := "nothing there", "nothing there"
	if had {
		f.Before = e.shown(l, name, one.Value)
		was = schema.Text(f.Before)
	}
	if has {
		f.After = e.shown(l, name, other.Value)
		is = schema.Text(f.After)
		if e.isPublishedDefault(l, s.role, other) {
			f.Cause = term.Defaulted
		}
	} else {
		f.State = e.stateOfGone(l, s.revision, one)
	}
	e.closeBooks(&f, before.answer, s.answer)
	f.Message = fmt.Sprintf("%s %s: %s served %s = %s in step %d (%s), before the rollback; %s (%s) serves %s in step %d (%s), and no operation wrote it%s; %s under %s",
		f.Kind, f.Copy, e.history.Releases[before.role].Version, name, was, before.step, e.steps[before.step].stage,
		s.replica, f.Release, is, s.step, f.Stage, e.wroteBetween(l, before.revision, s.revision), f.Class, f.Rule)
	return f
}
