package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// A server that emulates an earlier release promises to behave as that release does
// (KEP-4330): gates, APIs and storage versions are those of then. Where the other end
// of the pair is that release, what both make of the same call can be compared.

// emulates judges that the same call, in the same stage, is answered alike by the
// servers that emulate a release and by those that are it; and so is what both serve of
// one stored value. Its facts are the pairs. What is alike in several copies is told once.
func emulates(e *evidence) judged {
	m := &emulation{e: e, by: e.emulator, of: e.emulator.Other(), told: map[string]bool{}}
	for _, p := range m.pairs() {
		m.compareCalls(p)
	}
	m.compareTries()
	for _, l := range e.byCopy {
		m.compareReadings(l)
	}
	return m.judged
}

// emulation is the check at work.
type emulation struct {
	judged
	e    *evidence
	by   term.Role // the end that emulates
	of   term.Role // the end that is what the other emulates
	told map[string]bool
}

// samePair is a call that the emulating servers answered, and the same call that those
// answered which they emulate, by their steps.
type samePair struct {
	l, other *life
	by, of   int
}

// question is what equal calls agree on: where in the journey, what, and on what kind
// of copy. Reads say through which end the client read before it wrote.
type question struct {
	stage                 int
	sign, manifest, birth string
	adopted               bool
	read                  term.Role
}

// pairs are the calls of the emulating servers that have their like: read through the
// same end, or each through the one that it writes through.
func (m *emulation) pairs() []samePair {
	e, asked := m.e, map[question][]int{}
	for _, number := range e.calls.steps {
		if q, ok := m.questionOf(number); ok && e.acts[number].Role == m.of {
			asked[q] = append(asked[q], number)
			if q.read == m.of {
				q.read = m.by // each through its own
				asked[q] = append(asked[q], number)
			}
		}
	}
	var all []samePair
	for _, number := range e.calls.steps {
		q, ok := m.questionOf(number)
		if !ok || e.acts[number].Role != m.by || len(asked[q]) == 0 {
			continue
		}
		likes := asked[q]
		if !q.adopted {
			likes = likes[:1] // one is as good as another
		}
		for _, like := range likes {
			all = append(all, samePair{e.lifeOf(number), e.lifeOf(like), number, like})
		}
	}
	return all
}

// questionOf is what a call asks. What a copy with an order of its own, or one that
// another call of the line has met, is asked, is no like of anything; nor is what met a panic, of
// which rule-3 tells.
func (m *emulation) questionOf(number int) (question, bool) {
	e, at := m.e, m.e.steps[number]
	l := e.lifeOf(number)
	if l == nil || l.copy.Order > 0 || at.step.Follows || at.step.Adoption() || e.interrupted(e.acts[number].Exchange) || e.panicked(number) || !e.there(l, at.step) {
		return question{}, false
	}
	q := question{stage: at.index, sign: at.sign, manifest: l.copy.Manifest, adopted: l.copy.Leg > 0, read: at.step.ReadRole}
	if birth := e.steps[l.created]; l.created > 0 && !born(at.step) && !q.adopted {
		q.birth = fmt.Sprint(birth.sign, " ", birth.step.ViaRole, " ", birth.index)
	}
	return q, true
}

// compareCalls holds one call against its like: whether it was answered with success,
// what was warned of, and what it did.
func (m *emulation) compareCalls(p samePair) {
	m.facts++
	by, of := m.e.acts[p.by], m.e.acts[p.of]
	switch {
	case p.l.copy.Leg > 0: // what else became of it hangs on its past
		m.compareLosses(p)
		return
	case by.Done() != of.Done() || !by.Done() && by.Exchange.Code != of.Exchange.Code:
		m.tellAnswer(p)
		return
	case !by.Done():
		return
	}
	if warned, due := m.warnings(p.l, p.by), m.warnings(p.other, p.of); !slices.Equal(warned, due) {
		m.tellWarnings(p, warned, due)
	}
	if p.l.copy.Name == "" {
		return // a LIST does nothing
	}
	if born(m.e.steps[p.by].step) {
		m.compareBirths(p)
		return
	}
	m.compareLosses(p)
	m.compareEffects(p)
}

// warnings are what a call was warned of, in the form in which equal ones are equal.
func (m *emulation) warnings(l *life, number int) []string {
	var all []string
	for _, w := range m.e.acts[number].Exchange.Warnings {
		all = append(all, m.e.neutralText(l, number, w))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// once tells whether a fact is told for the first time: it is one of the pair of
// releases, and so the same for every copy of an object.
func (m *emulation) once(words ...any) bool {
	key := fmt.Sprintln(words...)
	first := !m.told[key]
	m.told[key] = true
	return first
}

// infidelity begins the finding about a call.
func (m *emulation) infidelity(l *life, number int) result.Finding {
	f := m.e.finding(l, term.CheckEmulates, number)
	f.Rule, f.Class, f.State = term.Emulation, term.Impact, term.Varies
	if act, acted := m.e.acts[number]; acted {
		f.Replica, f.Via, f.Release = act.Replica, act.Role, m.e.history.Releases[act.Role].Version
	}
	return f
}

// tellAnswer tells of two answers of which one is a success, or which refuse otherwise.
// The finding is about the call that did not come to a success.
func (m *emulation) tellAnswer(p samePair) {
	l, number, other := p.l, p.by, p.of
	if m.e.acts[number].Done() {
		l, number, other = p.other, p.of, p.by
	}
	if !m.once(l.copy.Object, l.copy.Manifest, m.e.steps[number].step.Verb, m.e.acts[number].Exchange.Code, m.e.acts[number].Role, m.e.acts[other].Exchange.Code) {
		return
	}
	f := m.infidelity(l, number)
	f.State, f.Cause = outcomeOf(m.e.acts[number]).callState(), m.e.whyFailed(l, number)
	m.say(&f, fmt.Sprintf("%s was answered %s%s; the same call in %s was answered %s",
		m.e.called(l, f), m.e.cameTo(l.manifest.Kind, m.e.acts[number]), refusedSince(f.Cause),
		m.e.referred(other), m.e.cameTo(l.manifest.Kind, m.e.acts[other])))
}

// say ends a finding's sentence, and keeps the finding.
func (m *emulation) say(f *result.Finding, what string) {
	f.Message = fmt.Sprintf("%s: %s does not do as %s does; %s under %s",
		what, m.e.history.Releases[m.by].Version, m.e.history.Releases[m.of].Version, f.Class, f.Rule)
	m.findings = append(m.findings, *f)
}

func (m *emulation) tellWarnings(p samePair, warned, due []string) {
	if !m.once(p.l.copy.Object, p.l.copy.Manifest, m.e.steps[p.by].step.Verb, warned, due) {
		return
	}
	f := m.infidelity(p.l, p.by)
	m.say(&f, fmt.Sprintf("%s was answered %s; the same call in %s %s",
		m.e.called(p.l, f), m.warnedOf(p.l, warned), m.e.referred(p.of), m.warnedOf(p.other, due)))
}

func (m *emulation) warnedOf(l *life, warnings []string) string {
	if len(warnings) == 0 {
		return "without a warning"
	}
	return fmt.Sprintf("with the warning %q", strings.Join(m.e.words(l, warnings), "; "))
}

// compareTries holds the dry runs of one copy, at one edge of a stage, against each
// other: where the journey is halted, replicas of both ends are there.
func (m *emulation) compareTries() {
	type try struct {
		step    int
		copy    string
		attempt term.Attempt
	}
	due := map[try]history.Operation{}
	for _, op := range m.e.calls.tries {
		if op.Role == m.of {
			due[try{op.Step, op.Copy, op.Attempt}] = op
		}
	}
	for _, op := range m.e.calls.tries {
		of, asked := due[try{op.Step, op.Copy, op.Attempt}]
		panicked := op.Exchange.Panic != nil || of.Exchange.Panic != nil // rule-3 tells of it
		if op.Role != m.by || !asked || panicked || m.e.interrupted(op.Exchange) || m.e.interrupted(of.Exchange) {
			continue
		}
		m.facts++
		if op.Exchange.Succeeded() != of.Exchange.Succeeded() && (refuses(op.Exchange) || refuses(of.Exchange)) {
			m.tellTry(m.e.calls.lives[op.Copy], op, of)
		}
	}
}

func (m *emulation) tellTry(l *life, op, other history.Operation) {
	if op.Exchange.Succeeded() {
		op, other = other, op
	}
	if !m.once(l.copy.Object, l.copy.Manifest, op.Attempt, op.Exchange.Code, op.Role) {
		return
	}
	f := m.infidelity(l, op.Step)
	f.State = outcomeOf(op).callState()
	f.Replica, f.Via, f.Release = op.Replica, op.Role, m.e.history.Releases[op.Role].Version
	m.say(&f, fmt.Sprintf("%s %s: step %d (%s): %s, as a dry run, was answered %s by %s (%s), and %s by %s (%s)",
		f.Kind, f.Copy, f.Step, f.Stage, term.Attempts().Meaning(op.Attempt), m.e.answerText(l.manifest.Kind, op.Exchange), op.Replica, f.Release,
		m.e.answerText(l.manifest.Kind, other.Exchange), other.Replica, m.e.history.Releases[other.Role].Version))
}

// becomes is the word that a finding of a value has for why, and the words of it.
func (m *emulation) becomes(l *life, number int, f *result.Finding) string {
	at := parsed(f.Path)
	for _, role := range []term.Role{m.of, m.by} {
		if m.e.declares(role, l, at) {
			continue
		}
		if m.e.steps[number].step.Verb.Writes() {
			f.Cause = m.e.ignorance(l, role)
		}
		return fmt.Sprintf(" (%s publishes no place for it)", m.e.history.Releases[role].Version)
	}
	if f.Cause != term.Defaulted && (m.e.gateIsOff(l, m.by, at) || m.e.gateIsOff(l, m.of, at)) {
		f.Cause = term.GateDisabled
	}
	return refusedSince(f.Cause)
}
