package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// rule2 judges that calls which do not use the change do what they did before
// the upgrade. Its facts are the successes of rule-1's calls whose effect can
// be told, each held against its reference; births, held against those of equal
// bodies; and stored versions, as each release serves them.
func rule2(e *evidence) judged {
	var j judged
	for _, number := range e.calls.steps {
		at := e.steps[number]
		l := e.calls.lives[at.step.Copy]
		if l == nil || born(at.step) || at.step.Verb.Deletes() || !e.acts[number].Done() {
			continue
		}
		if before := e.rule1Reference(l, at); before > 0 && e.showsOwn(l, number) {
			e.judgeEffect(l, number, before, &j)
		}
	}
	e.judgeBirths(&j)
	e.judgeReadings(&j)
	e.judgeGenerations(&j)
	e.judgeRelaxed(&j)
	return j
}

// showsEffect tells whether a call of the verb shows what it did to a copy. The
// guarantee is not about deletes, and a LIST does nothing.
func showsEffect(v term.Verb) bool { return !v.Deletes() && v != term.ListAll }

// showsOwn tells whether the call's release can show what it did, in the copy's
// own version: one that does not serve that never shows it, and a GET in another
// version has shown it in that one.
func (e *evidence) showsOwn(l *life, number int) bool {
	role, step := e.acts[number].Role, e.steps[number].step
	return !otherVersion(l, step) || step.Verb != term.Get && e.mayServe(role, l.manifest.APIVersion)
}

// turn is what a call did to one value.
type turn struct {
	path          fieldpath.Path
	before, after schema.Leaf
	had, has      bool
	meaning       string // after, in the form in which equal turns are equal
}

// effect is what a call did, by the text of its paths.
type effect map[string]turn

// noEffect is the reason for what nothing tells of a call's effect.
const noEffect = "the release that was called has not shown the object both before the call and after it"

func (e *evidence) judgeEffect(l *life, number, before int, j *judged) {
	reference := e.calls.lives[e.steps[before].step.Copy]
	if (l.copy.Order > 0 || e.steps[number].step.Follows) && !e.sameBefore(l, number, reference, before) {
		return // what it does may depend on that
	}
	was, known := e.effectOf(reference, before)
	if !known {
		j.untold, j.reason = j.untold+1, noEffect
		return
	}
	is, known := e.effectOf(l, number)
	if !known {
		j.untold, j.reason = j.untold+1, noEffect
		if e.lacks(e.acts[number].Exchange) {
			j.reason = lackedBody
		}
		return
	}
	j.facts++
	for _, name := range eitherOf(was, is) {
		one, other := was[name], is[name]
		if one.meaning == other.meaning || e.had(reference, before, name, one) != e.had(l, number, name, other) {
			continue // of a value that was not there, nothing tells what the call would do to it
		}
		if drawn(one, other) && !e.isPublishedDefault(l, e.acts[number].Role, other.after) && !e.agreed(number, before, name, one) {
			continue
		}
		if at := cmp.Or(text(other.path), text(one.path)); !e.calls.isTold(l, parsed(at)) {
			j.findings = append(j.findings, e.otherEffect(l, number, before, at, one, other))
		}
	}
}

// had tells whether a call found a value at a place, whether it changed it or not.
func (e *evidence) had(l *life, number int, name string, t turn) bool {
	if t.meaning != "" {
		return t.had
	}
	for at := range e.leavesOf(l, e.shownBefore(l, number)) {
		if e.neutralText(l, number, at) == name {
			return true
		}
	}
	return false
}

// agreed tells whether another call of the first stage, on another copy, gave
// the very value that the reference did: it is none that is drawn anew.
func (e *evidence) agreed(number, before int, name string, due turn) bool {
	const some = 3 // enough to find one that agrees, and cheap where none does
	tried := 0
	for _, other := range e.calls.alike[e.steps[number].sign] {
		copyOf := e.steps[other].step.Copy
		if copyOf == e.steps[before].step.Copy || tried == some {
			continue
		}
		tried++
		if was, known := e.effectOf(e.calls.lives[copyOf], other); known && drawn(was[name], due) && was[name].meaning == due.meaning {
			return true
		}
	}
	return false
}

// drawn tells whether both calls gave a value where there was none, so that it
// may be one that a server draws anew for each object.
func drawn(a, b turn) bool { return a.has && b.has && !a.had && !b.had }

func text(p fieldpath.Path) string {
	if p == nil {
		return ""
	}
	return path.String(p)
}

// parsed is a path that was printed before.
func parsed(at string) fieldpath.Path {
	p, _ := path.Parse(at)
	return p
}

func eitherOf(a, b effect) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}

// effectOf is what a call changed between what its server showed before it and
// what it answered, on paths that the old release publishes, but for what the
// call names itself. False: it cannot be told.
func (e *evidence) effectOf(l *life, number int) (effect, bool) {
	return e.effectOn(l, number, e.settled)
}

// effectOn is the same on those paths that counts says.
func (e *evidence) effectOn(l *life, number int, counts func(*life, fieldpath.Path) bool) (effect, bool) {
	before, after := e.shownBefore(l, number), e.shownAfter(l, number)
	if before == "" || after == "" {
		return nil, false
	}
	was, is := e.leavesOf(l, before), e.leavesOf(l, after)
	own := named(l.manifest.Kind, e.steps[number].step)
	all := effect{}
	for _, name := range union(was, is) {
		t := turn{}
		t.before, t.had = was[name]
		t.after, t.has = is[name]
		t.path = t.before.Path
		if t.has {
			t.path = t.after.Path
		}
		mine := slices.ContainsFunc(own, func(p fieldpath.Path) bool { return path.Contains(p, t.path) })
		if mine || alikeServed(t.before, t.after) || !counts(l, t.path) {
			continue
		}
		t.meaning = "gone"
		if t.has {
			t.meaning = e.neutral(l, number, t.after)
		}
		all[e.neutralText(l, number, name)] = t
	}
	return all, true
}

// settled tells whether a path is one whose value a rule can hold: published
// by the old release, and none of the servers' own.
func (e *evidence) settled(l *life, p fieldpath.Path) bool {
	return e.declares(term.Old, l, p) && !slices.ContainsFunc(serverOwned(), func(own fieldpath.Path) bool { return path.Contains(own, p) })
}

// shownBefore is the answer that showed the copy as it was before the call, by
// the release that is called: what is served of a stored value can differ
// between releases. What an overlapping step may have shown after it is none, and
// neither is what it showed of the call's own doing.
func (e *evidence) shownBefore(l *life, number int) string {
	act, found := e.acts[number], noSight()
	newest, revision := int64(0), act.Exchange.Revision
	v := l.version(revision)
	wrote := v != nil && v.step == number
	for _, s := range l.sights {
		earlier := s.step < number || s.step == number && s.purpose == history.Read
		later := revision > 0 && (s.revision > revision || wrote && s.revision == revision)
		if !earlier || !s.ok() || s.types != "" || later {
			continue
		}
		newest = max(newest, s.revision)
		if s.role == act.Role && s.revision >= found.revision {
			found = s
		}
	}
	if v := e.wroteOver(l, number); v != nil && v.change.Revision > found.revision {
		return viewBy(v, act.Role) // the servers themselves wrote it since
	}
	if found.revision < newest {
		return "" // it was written since, and this release has not shown it
	}
	return found.answer
}

// wroteOver is the stored version that a call met: the newest before the one
// that it made itself, if it made one. Nil: the record does not tell.
func (e *evidence) wroteOver(l *life, number int) *version {
	revision := e.acts[number].Exchange.Revision
	if revision == 0 {
		return nil
	}
	var met *version
	for i := range l.versions {
		v := &l.versions[i]
		own := v.step == number
		if v.change.Revision > revision || own {
			break
		}
		met = v
	}
	return met
}

// viewBy is how a release has shown a stored version, as it came; "" for not at all.
func viewBy(v *version, role term.Role) string {
	for _, s := range v.views[role] {
		if s.ok() && s.types == "" {
			return s.answer
		}
	}
	return ""
}

// shownAfter is the answer to the call where it shows the copy in its own
// version and as it came, else what the same release showed right after it:
// what a client's types make of protobuf is not what JSON shows.
func (e *evidence) shownAfter(l *life, number int) string {
	act := e.acts[number]
	if act.Exchange.AnswerBytes == "" && e.ownForm(l, act.Exchange.Answer) {
		return act.Exchange.Answer
	}
	for _, s := range l.sights {
		if s.step == number && s.purpose == history.Look && s.role == act.Role && s.ok() {
			return s.answer
		}
	}
	return ""
}

// ownForm tells whether a body is the object itself, in the version that the
// copy was made in: not its scale, nor a word about its deletion.
func (e *evidence) ownForm(l *life, digest string) bool {
	if !e.history.HasObject(digest) {
		return false
	}
	leaves := e.leavesOf(l, digest)
	return leaves[".kind"].Value == l.manifest.Kind && leaves[".apiVersion"].Value == l.manifest.APIVersion
}

// neutral is a value without what is the copy's or the step's own. A time tells
// when, not what: any equals any.
func (e *evidence) neutral(l *life, number int, leaf schema.Leaf) string {
	if strings.HasPrefix(leaf.Semantic, "time ") {
		return "some time"
	}
	return e.neutralText(l, number, leaf.Semantic)
}

func (e *evidence) neutralText(l *life, number int, text string) string {
	text = strings.ReplaceAll(text, l.copy.Name, "NAME")
	if step := e.steps[number].step; step.Mutation != nil {
		text = strings.ReplaceAll(text, step.Mark(), "TOUCH")
	}
	return text
}

// otherEffect is the finding about one value: what was due is the reference's
// turn, what came is the call's.
func (e *evidence) otherEffect(l *life, number, before int, at string, due, came turn) result.Finding {
	f := e.finding(l, term.CheckRule2, number)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Changed, at
	if came.had {
		f.Before = e.shown(l, at, came.before.Value)
	}
	did := "left " + at + " as it was"
	switch {
	case came.has:
		f.After = e.shown(l, at, came.after.Value)
		did = fmt.Sprintf("made %s = %s", at, schema.Text(f.After))
		if e.isDefault(l, number, came) {
			f.Cause = term.Defaulted
		}
	case came.had:
		f.State = e.stateOfGone(l, e.acts[number].Exchange.Revision, came.before)
		did = "took " + at + " away"
	}
	e.closeBooks(&f, e.shownBefore(l, number), e.shownAfter(l, number))
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) %s; the same call %s in %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Step, f.Stage, e.made(f.Step), did, e.didThen(l, due), e.referred(before),
		f.Cause, e.why(f), f.Class, f.Rule)
	return f
}

func (e *evidence) didThen(l *life, due turn) string {
	switch {
	case due.has:
		return "made it " + schema.Text(e.shown(l, text(due.path), due.after.Value))
	case due.had:
		return "took it away"
	}
	return "left it as it was"
}

// isDefault tells whether the value that came is a default's doing: the one
// that the release publishes, or one that nobody sent where nothing was. What a server says of
// an object, in its status, it computes.
func (e *evidence) isDefault(l *life, number int, came turn) bool {
	act := e.acts[number]
	computed := path.Contains(statusPath(), came.path) && e.hasStatus(l, act.Role)
	return e.isPublishedDefault(l, act.Role, came.after) || !came.had && !computed && !e.wasSent(l, act, came.path)
}

func (e *evidence) isPublishedDefault(l *life, role term.Role, leaf schema.Leaf) bool {
	k, ok := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	if !ok {
		return false
	}
	value, has := k.Default(leaf.Path)
	return has && same(l, leaf.Path, value, leaf.Value)
}

func (e *evidence) wasSent(l *life, act history.Operation, p fieldpath.Path) bool {
	if act.Exchange.Sent == "" || !e.history.HasObject(act.Exchange.Sent) {
		return false
	}
	_, sent := e.leavesOf(l, act.Exchange.Sent)[path.String(p)]
	return sent
}
