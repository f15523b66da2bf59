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

// Nobody has to write an object for a release to give it another meaning: a
// default of a new field, or what is computed from it, shows as soon as the new
// release reads what the old one had stored. A GET and a LIST are calls as any
// other, so what one stored version is served as is held against itself.

// disagreement is a value that the new release serves otherwise than the old one, of
// one stored version.
type disagreement struct {
	l        *life
	name     string
	old, new *sight
	was, is  turn // of the old release and of the new one; only after and has are set
}

// readings compares what both releases served of each stored version of the
// copies that do not use the change, value by value. Of a value the first
// version that shows it is told.
func (e *evidence) readings() ([]disagreement, int) {
	var all []disagreement
	compared := 0
	for _, l := range e.byCopy {
		if e.calls.uses(l) || l.created == 0 {
			continue
		}
		said := map[string]bool{}
		for i := range l.versions {
			if e.calls.usesIn(l, l.versions[i].step) {
				break // and so does all that is stored from then on
			}
			old, new := servedAs(&l.versions[i], term.Old), servedAs(&l.versions[i], term.New)
			if len(old) == 0 || len(new) == 0 {
				continue
			}
			compared++
			if len(old) == 1 && len(new) == 1 && old[0].answer == new[0].answer {
				continue
			}
			for _, a := range e.disagreeIn(l, old, new) {
				if !said[a.name] {
					said[a.name] = true
					all = append(all, a)
				}
			}
		}
	}
	return all, compared
}

// servedAs are the answers of a release's replicas that showed a version.
func servedAs(v *version, role term.Role) []*sight {
	var all []*sight
	for _, s := range v.views[role] {
		if served(*s) {
			all = append(all, s)
		}
	}
	return all
}

// disagreeIn are the values of one version that the releases do not agree on. One
// that a release itself serves in two ways is drawn at each read.
func (e *evidence) disagreeIn(l *life, old, new []*sight) []disagreement {
	was, is := e.leavesOf(l, old[0].answer), e.leavesOf(l, new[0].answer)
	var all []disagreement
	for _, name := range union(was, is) {
		a := disagreement{l: l, name: name, old: old[0], new: new[0]}
		a.was.after, a.was.has = was[name]
		a.is.after, a.is.has = is[name]
		p := a.path()
		if alikeServed(a.was.after, a.is.after) || !e.settled(l, p) || e.calls.isTold(l, p) || e.varies(l, name, old) || e.varies(l, name, new) {
			continue
		}
		all = append(all, a)
	}
	return all
}

func (a disagreement) path() fieldpath.Path {
	if a.was.has {
		return a.was.after.Path
	}
	return a.is.after.Path
}

// varies tells whether answers show a value in several ways.
func (e *evidence) varies(l *life, name string, answers []*sight) bool {
	first := e.leavesOf(l, answers[0].answer)[name]
	for _, s := range answers[1:] {
		if !alikeServed(first, e.leavesOf(l, s.answer)[name]) {
			return true
		}
	}
	return false
}

// disagree tells whether the releases serve a copy's value differently from what
// is stored, so that a difference between them says nothing of the store.
func (c *calls) disagree(l *life, name string) bool { return c.disagreeAt[l.copy.Name+" "+name] > 0 }

// judgeReadings tells of what is served otherwise, and takes out of the findings
// about calls what that told before them: of a copy's value the first is told.
func (e *evidence) judgeReadings(j *judged) {
	j.facts += e.calls.compared
	told := map[string]int{} // by copy and path: the step of the first call
	kept := j.findings[:0]
	for _, f := range j.findings {
		key := f.Copy + " " + f.Path
		if at := e.calls.disagreeAt[key]; at > 0 && at < f.Step {
			continue
		}
		if at, known := told[key]; !known || f.Step < at {
			told[key] = f.Step
		}
		kept = append(kept, f)
	}
	j.findings = kept
	e.judgeVaries(j)
	e.judgeSticks(j)
	for _, a := range e.calls.disagreements {
		if at, known := told[a.l.copy.Name+" "+a.name]; !known || a.new.step < at {
			j.findings = append(j.findings, e.servedOtherwiseByNew(a))
		}
	}
}

func (e *evidence) servedOtherwiseByNew(a disagreement) result.Finding {
	l, s := a.l, a.new
	f := e.finding(l, term.CheckRule2, s.step)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Changed, a.name
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	was, is := "nothing there", "no "+a.name
	if a.was.has {
		f.Before = e.shown(l, a.name, a.was.after.Value)
		was = schema.Text(f.Before)
	}
	if a.is.has {
		f.After = e.shown(l, a.name, a.is.after.Value)
		is = a.name + " = " + schema.Text(f.After)
		f.Cause = e.causeOfReading(a, a.is.after)
	} else {
		f.State = e.stateOfGone(l, s.revision, a.was.after)
		if e.prunes(l, s.role, a.path()) {
			f.Cause = term.Pruned
		}
	}
	e.closeBooks(&f, a.old.answer, s.answer)
	f.Message = fmt.Sprintf("%s %s: %s (%s) serves %s in step %d (%s), and of the same stored value %s (%s) serves %s in step %d (%s)%s: %s; %s under %s",
		f.Kind, f.Copy, s.replica, f.Release, is, s.step, f.Stage,
		a.old.replica, e.history.Releases[a.old.role].Version, was, a.old.step, e.steps[a.old.step].stage, because(f.Cause),
		term.Rules().Meaning(f.Rule), f.Class, f.Rule)
	return f
}

// appears tells whether the new release fills a value in as it reads: the old one shows
// nothing there of the same stored value, and no client ever sent any. What a server
// says of an object, in its status, it computes.
func (e *evidence) appears(a disagreement) bool {
	p := a.path()
	computed := path.Contains(statusPath(), p) && e.hasStatus(a.l, a.new.role)
	return a.is.has && !a.was.has && !computed && e.declares(a.old.role, a.l, p) && !e.sentBefore(a.l, a.new.step, p)
}

// sentBefore tells whether a client had sent the copy anything at a place by a step.
func (e *evidence) sentBefore(l *life, step int, at fieldpath.Path) bool {
	return slices.ContainsFunc(l.entries, func(n *entry) bool { return n.offered <= step && path.Contains(at, n.leaf.Path) }) ||
		slices.ContainsFunc(l.acts, func(number int) bool { return number <= step && e.wasSent(l, e.acts[number], at) })
}
