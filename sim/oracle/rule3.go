package oracle

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// meetsOld tells whether the plan lets a call that can carry the change go to a
// server without it, and what is published tells that change from the rest.
func meetsOld(e *evidence, steps []int) bool {
	change := map[string]bool{} // by manifest
	for _, l := range e.byCopy {
		if _, known := change[l.copy.Manifest]; !known {
			change[l.copy.Manifest] = slices.ContainsFunc(slices.Collect(maps.Values(leavesIn(l.kind, l.manifest.Body))),
				func(leaf schema.Leaf) bool { return e.isChange(l, leaf.Path) })
		}
	}
	return slices.ContainsFunc(steps, func(number int) bool {
		step := e.steps[number].step
		l := e.calls.lives[step.Copy]
		if l == nil || !e.calls.usesIn(l, number) || !e.mayServeKind(term.Old, versionOf(l, step), l.manifest.Kind) {
			return false
		}
		carries := change[l.copy.Manifest] && e.canCarry(step) && !otherVersion(l, step)
		return carries || e.namesChange(l, step)
	})
}

// met tells whether a call did send the change to a server without it, or ended
// one, or had one panic.
func met(e *evidence) bool {
	return len(e.deaths(term.CheckRule3))+len(e.panics()) > 0 || slices.ContainsFunc(e.calls.steps, func(number int) bool {
		l := e.calls.lives[e.steps[number].step.Copy]
		return l != nil && e.sendsChange(l, number)
	})
}

// namesChange tells whether the step's own mutation is one of the change,
// through an old server.
func (e *evidence) namesChange(l *life, s plan.Step) bool {
	return e.without(s.ViaRole) && !oldClient(s.Client) && !s.Verb.Deletes() &&
		slices.ContainsFunc(named(l.manifest.Kind, s), func(p fieldpath.Path) bool { return e.isChangeOf(l, s, p) })
}

// isChangeOf tells whether the path is part of the change in the version that a
// step goes through, which need not be the copy's own.
func (e *evidence) isChangeOf(l *life, s plan.Step, p fieldpath.Path) bool {
	declares := func(by *schema.Schema) bool {
		k, ok := by.Kind(versionOf(l, s), l.manifest.Kind)
		return ok && k.Declares(p)
	}
	return declares(e.typesOf(term.New)) && !declares(e.schemas[term.Old])
}

// canCarry tells whether a call through an old server can hold what that server
// does not know: what the client makes of the manifest, or of what a new server
// shows it.
func (e *evidence) canCarry(s plan.Step) bool {
	if !e.without(s.ViaRole) || oldClient(s.Client) || !s.Verb.Writes() || s.Part() != "" {
		return false
	}
	return born(s) || s.Verb == term.Apply || s.Verb == term.ClientSideApply || s.Verb.Whole() && s.ReadRole == term.New
}

// rule3 judges that calls which use the change do no harm to a server without
// it, and that none has a server panic. Its facts are those calls. A refusal is no harm, and neither is trouble
// that the release has with any field it does not know: a made-up one tells.
func rule3(e *evidence) judged {
	var j judged
	for _, number := range e.calls.steps {
		l := e.calls.lives[e.steps[number].step.Copy]
		if l != nil && e.sendsChange(l, number) {
			e.judgeRule3(l, number, &j)
		}
	}
	j.findings = append(j.findings, e.deaths(term.CheckRule3)...)
	panics := e.panics()
	j.facts, j.findings = j.facts+len(panics), append(j.findings, panics...)
	return j
}

func (e *evidence) judgeRule3(l *life, number int, j *judged) {
	x := e.acts[number].Exchange
	if e.interrupted(x) {
		j.untold++
		return
	}
	if e.metUnreadable(l, number) || e.panicked(number) {
		return // everything-decodes tells it, or panics
	}
	if !e.harms(l, number) {
		j.facts++
		return
	}
	if e.teller(number) != term.CheckRule3 {
		return
	}
	j.facts++
	f := e.failedCall(l, term.CheckRule3, term.Rule3, number)
	f.State, f.Path = term.Failed, path.String(e.sent(l, number))
	also := "nothing tells that it fails alike on any field it does not know"
	switch made := e.calls.probes[number]; {
	case e.alike(number):
		f.State, f.Class = term.Refused, term.Impact
		also = "a made-up field is answered the same"
	case len(made) > 0:
		also = fmt.Sprintf("a made-up field is answered %s", e.answerText(l.manifest.Kind, made[len(made)-1].Exchange))
	}
	f.Message = fmt.Sprintf("%s sent %s, which %s does not publish, and was answered %s; %s; %s under %s",
		e.called(l, f), f.Path, f.Release, e.answerText(l.manifest.Kind, x), also, f.Class, f.Rule)
	j.findings = append(j.findings, f)
}

// harms tells whether a call that uses the change left a server without it
// unable to answer.
func (e *evidence) harms(l *life, number int) bool {
	x := e.acts[number].Exchange
	return !x.Succeeded() && outcomeOfAnswer(x).callState() == term.Failed && e.sendsChange(l, number) && !e.metUnreadable(l, number)
}

// metUnreadable tells whether a call failed at an object that its release cannot
// decode, whatever is sent: that it fails alike on a made-up field says nothing
// of fields.
func (e *evidence) metUnreadable(l *life, number int) bool {
	act := e.acts[number]
	return outcomeOf(act) == cannotRead && !born(e.steps[number].step) &&
		(e.calls.unread.has(act.Role, e.valueAt(l, number)) || e.unreadBefore(l, act) != term.Unattributed)
}

// alike tells whether a made-up field got the same answer from the same release.
func (e *evidence) alike(number int) bool {
	act := e.acts[number]
	for _, made := range e.calls.probes[number] {
		if made.Role == act.Role && made.Exchange.Code == act.Exchange.Code && act.Exchange.Code >= 500 {
			return true
		}
	}
	return false
}

// sendsChange tells whether the call sends a value of the change to a server
// whose release has no place for it.
func (e *evidence) sendsChange(l *life, number int) bool {
	act := e.acts[number]
	return act.Purpose == history.Act && e.without(act.Role) && e.calls.usesIn(l, number) && e.sent(l, number) != nil
}

// sent is the topmost member of the change that the call sends; nil: there is none.
func (e *evidence) sent(l *life, number int) fieldpath.Path {
	step := e.steps[number].step
	for _, p := range e.sentPaths(l, number) {
		if !e.isChangeOf(l, step, p) {
			continue
		}
		for len(p) > 1 && e.isChangeOf(l, step, p[:len(p)-1]) {
			p = p[:len(p)-1]
		}
		return p
	}
	return nil
}

// sentPaths are the places of the values that a call sends: those in its body
// or, where that is a list of instructions, those that its mutation names.
func (e *evidence) sentPaths(l *life, number int) []fieldpath.Path {
	act, step := e.acts[number], e.steps[number].step
	var all []fieldpath.Path
	if !e.history.HasObject(act.Exchange.Sent) {
		if !step.Verb.Deletes() {
			all = named(l.manifest.Kind, step)
		}
		return all
	}
	leaves := e.leavesOf(l, act.Exchange.Sent)
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		all = append(all, leaves[name].Path)
	}
	return all
}
