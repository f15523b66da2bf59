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

// A default that the new release fills in as it reads is gone again after a rollback,
// as long as nothing was stored. One write through a new server, of whatever else,
// stores it. From then on the old release serves it too: the rollback did not bring
// back what was there. Rule-6 cannot hold that, for an operation wrote the object;
// but none named this value, and that it appeared is what rule-2 tells.

// judgeSticks tells of values that appeared with the new release, and that the old one
// serves after a rollback: once for each copy and value.
func (e *evidence) judgeSticks(j *judged) {
	all := rollbacks(e.history.Header.Plan)
	for _, a := range e.calls.disagreements {
		if !e.appears(a) {
			continue
		}
		for _, back := range all {
			if s := e.stuck(a, back); s != nil {
				j.findings = append(j.findings, e.sticks(a, s))
				break
			}
		}
	}
}

// stuck is the first answer of the old release after a rollback that shows a value
// which appeared before; nil where there is none, or where a client sent it.
func (e *evidence) stuck(a disagreement, back rollback) *sight {
	if e.steps[a.new.step].index >= back.done {
		return nil
	}
	for i := range a.l.sights {
		s := &a.l.sights[i]
		if e.steps[s.step].index != back.done || !served(*s) || s.role != term.Old || e.calls.usesIn(a.l, s.step) {
			continue
		}
		leaf, there := e.leavesOf(a.l, s.answer)[a.name]
		if there && alikeServed(leaf, a.is.after) && !e.askedFor(a.l, s.step, a.path()) {
			return s
		}
	}
	return nil
}

// askedFor tells whether an operation named a place by a step, or a client sent
// something there.
func (e *evidence) askedFor(l *life, step int, at fieldpath.Path) bool {
	return e.sentBefore(l, step, at) || slices.ContainsFunc(l.acts, func(number int) bool {
		return number <= step && slices.ContainsFunc(named(l.manifest.Kind, e.steps[number].step), func(p fieldpath.Path) bool { return path.Contains(p, at) })
	})
}

func (e *evidence) sticks(a disagreement, s *sight) result.Finding {
	f := e.finding(a.l, term.CheckRule2, s.step)
	f.Rule, f.Class, f.State, f.Path, f.Cause = term.Rule2, term.Violation, term.Changed, a.name, term.Defaulted
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	f.After = e.shown(a.l, a.name, a.is.after.Value)
	e.closeBooks(&f, a.old.answer, s.answer)
	f.Message = fmt.Sprintf("%s %s: %s = %s, which appeared when %s read the object in step %d (%s) and which no client sent, stays after the rollback: %s (%s) serves it in step %d (%s), and served nothing there in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, a.name, schema.Text(f.After), e.history.Releases[term.New].Version, a.new.step, e.steps[a.new.step].stage,
		s.replica, f.Release, s.step, f.Stage, a.old.step, e.steps[a.old.step].stage, e.storedIn(a), f.Class, f.Rule)
	return f
}

// storedIn says which operation stored a value: the one that wrote the first version
// of which the old release shows it.
func (e *evidence) storedIn(a disagreement) string {
	for i := range a.l.versions {
		v := &a.l.versions[i]
		for _, s := range v.views[term.Old] {
			if _, there := e.leavesOf(a.l, s.answer)[a.name]; there && s.ok() && v.step > 0 {
				return fmt.Sprintf("; step %d (%s) stored it", v.step, e.made(v.step))
			}
		}
	}
	return ""
}
