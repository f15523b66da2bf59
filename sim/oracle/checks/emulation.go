package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// A server that emulates an earlier release promises to behave as that release does (KEP-4330),
// with its gates, APIs and storage versions. If the pair's other release is the emulated one, the
// results of equal calls on both can be compared.

// Emulates judges that servers which emulate a release answer the same call in the same stage as
// the servers of that release, and serve each stored version alike. Its facts are the compared
// pairs. A difference that several copies show is reported once.
func Emulates(ev *trace.Evidence) blame.Judged {
	m := &emulation{ev: ev, by: ev.Emulator, of: ev.Emulator.Other(), told: blame.Once{}}
	for _, p := range m.pairs() {
		m.compareCalls(p)
	}
	m.compareTries()
	for _, tl := range ev.Timelines {
		(&emulatedValues{m}).compareReadings(tl)
	}
	return m.Judged
}

// emulation holds the state of the check.
type emulation struct {
	blame.Judged
	ev   *trace.Evidence
	by   term.Role // the release whose servers emulate
	of   term.Role // the emulated release
	told blame.Once
}

// samePair is a call that the emulating servers answered, and the same call as the emulated
// release answered it, by their steps.
type samePair struct {
	l, other *trace.Timeline
	by, of   int
}

// question is what equal calls have in common: the place in the journey, the request, and the
// kind of copy. read is the release through which the client read before it wrote.
type question struct {
	stage                 int
	sign, manifest, birth string
	adopted               bool
	read                  term.Role
}

// pairs returns the calls of the emulating servers with an equal call: both read through the same
// release, or each through the one that it writes through.
func (m *emulation) pairs() []samePair {
	ev, asked := m.ev, map[question][]int{}
	for _, number := range ev.Calls.Steps {
		if q, ok := m.questionOf(number); ok && ev.Acts[number].Role == m.of {
			asked[q] = append(asked[q], number)
			if q.read == m.of {
				q.read = m.by // each reads through its own release
				asked[q] = append(asked[q], number)
			}
		}
	}
	var all []samePair
	for _, number := range ev.Calls.Steps {
		q, ok := m.questionOf(number)
		if !ok || ev.Acts[number].Role != m.by || len(asked[q]) == 0 {
			continue
		}
		likes := asked[q]
		if !q.adopted {
			likes = likes[:1] // any of them will do
		}
		for _, like := range likes {
			all = append(all, samePair{trace.TimelineOf(ev, number), trace.TimelineOf(ev, like), number, like})
		}
	}
	return all
}

// questionOf returns what a call asks. It returns false for a call on a copy with an order of its
// own, or on a copy that another call of the line has met, since no call equals it, and for a
// call that met a panic, which rule-3 reports.
func (m *emulation) questionOf(number int) (question, bool) {
	ev, at := m.ev, m.ev.Steps[number]
	tl := trace.TimelineOf(ev, number)
	if tl == nil || tl.Copy.Order > 0 || at.Step.Follows || at.Step.Adoption() || blame.MayBeInterrupted(ev, ev.Acts[number].Exchange) || ev.Panicked(number) || !trace.ExistsFor(ev, tl, at.Step) {
		return question{}, false
	}
	q := question{stage: at.StageIndex, sign: at.Signature, manifest: tl.Copy.Manifest, adopted: tl.Copy.Leg > 0, read: at.Step.ReadRole}
	if birth := ev.Steps[tl.Created]; tl.Created > 0 && !at.Step.CreatesCopy() && !q.adopted {
		q.birth = fmt.Sprint(birth.Signature, " ", birth.Step.ViaRole, " ", birth.StageIndex)
	}
	return q, true
}

// compareCalls compares a call with its equal: success, warnings and effect.
func (m *emulation) compareCalls(p samePair) {
	m.Facts++
	by, of := m.ev.Acts[p.by], m.ev.Acts[p.of]
	switch {
	case p.l.Copy.Leg > 0: // its further state depends on its past
		(&emulatedValues{m}).compareLosses(p)
		return
	case by.Done() != of.Done() || !by.Done() && by.Exchange.Code != of.Exchange.Code:
		m.reportAnswer(p)
		return
	case !by.Done():
		return
	}
	if warned, due := m.warnings(p.l, p.by), m.warnings(p.other, p.of); !slices.Equal(warned, due) {
		m.tellWarnings(p, warned, due)
	}
	if p.l.Copy.Name == "" {
		return // a LIST has no effect
	}
	if m.ev.Steps[p.by].Step.CreatesCopy() {
		(&emulatedValues{m}).compareCreates(p)
		return
	}
	(&emulatedValues{m}).compareLosses(p)
	(&emulatedValues{m}).compareEffects(p)
}

// warnings returns the warnings of a call, normalized so that equal ones are equal texts.
func (m *emulation) warnings(tl *trace.Timeline, number int) []string {
	var all []string
	for _, w := range m.ev.Acts[number].Exchange.Warnings {
		all = append(all, trace.NeutralText(m.ev, tl, number, w))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// infidelity returns a new finding about a call.
func (m *emulation) infidelity(tl *trace.Timeline, number int) result.Finding {
	f := blame.NewCollector(m.ev, tl, term.CheckEmulates, number)
	f.Rule, f.Class, f.Outcome = term.RuleEmulation, term.Impact, term.Varies
	if act, acted := m.ev.Acts[number]; acted {
		f.Replica, f.Via, f.Release = act.Replica, act.Role, m.ev.History.Releases[act.Role].Version
	}
	return f
}

// reportAnswer reports two answers of which one is a success, or which are different refusals.
// The finding is about the call that failed.
func (m *emulation) reportAnswer(p samePair) {
	tl, number, other := p.l, p.by, p.of
	if m.ev.Acts[number].Done() {
		tl, number, other = p.other, p.of, p.by
	}
	if !m.told.First(tl.Copy.Object, tl.Copy.Manifest, m.ev.Steps[number].Step.Verb, m.ev.Acts[number].Exchange.Code, m.ev.Acts[number].Role, m.ev.Acts[other].Exchange.Code) {
		return
	}
	f := m.infidelity(tl, number)
	f.Outcome, f.Cause = trace.OutcomeOf(m.ev.Acts[number]).OfCall(), blame.WhyFailed(m.ev, tl, number)
	m.report(&f, fmt.Sprintf("%s was answered %s%s; the same call in %s was answered %s",
		blame.CallText(m.ev, tl, f), blame.OutcomeText(m.ev, tl.Manifest.Kind, m.ev.Acts[number]), blame.RefusedSince(f.Cause),
		blame.ReferenceText(m.ev, other), blame.OutcomeText(m.ev, tl.Manifest.Kind, m.ev.Acts[other])))
}

// report completes the message of a finding and adds the finding.
func (m *emulation) report(f *result.Finding, what string) {
	f.Message = fmt.Sprintf("%s: %s does not behave as %s does; %s under %s",
		what, m.ev.History.Releases[m.by].Version, m.ev.History.Releases[m.of].Version, f.Class, f.Rule)
	m.Findings = append(m.Findings, *f)
}

func (m *emulation) tellWarnings(p samePair, warned, due []string) {
	if !m.told.First(p.l.Copy.Object, p.l.Copy.Manifest, m.ev.Steps[p.by].Step.Verb, warned, due) {
		return
	}
	f := m.infidelity(p.l, p.by)
	m.report(&f, fmt.Sprintf("%s was answered %s; the same call in %s %s",
		blame.CallText(m.ev, p.l, f), m.warnedOf(p.l, warned), blame.ReferenceText(m.ev, p.of), m.warnedOf(p.other, due)))
}

func (m *emulation) warnedOf(tl *trace.Timeline, warnings []string) string {
	if len(warnings) == 0 {
		return "without a warning"
	}
	return fmt.Sprintf("with the warning %q", strings.Join(blame.ServerTexts(m.ev, tl, warnings), "; "))
}

// compareTries compares the dry runs of one copy at one edge of a stage: where the journey is
// halted, replicas of both releases run.
func (m *emulation) compareTries() {
	type try struct {
		step    int
		copy    string
		attempt term.Attempt
	}
	due := map[try]history.Operation{}
	for _, op := range m.ev.Calls.Tries {
		if op.Role == m.of {
			due[try{op.Step, op.Copy, op.Attempt}] = op
		}
	}
	for _, op := range m.ev.Calls.Tries {
		of, asked := due[try{op.Step, op.Copy, op.Attempt}]
		panicked := op.Exchange.Panic != nil || of.Exchange.Panic != nil // rule-3 reports it
		if op.Role != m.by || !asked || panicked || blame.MayBeInterrupted(m.ev, op.Exchange) || blame.MayBeInterrupted(m.ev, of.Exchange) {
			continue
		}
		m.Facts++
		if op.Exchange.Succeeded() != of.Exchange.Succeeded() && (trace.IsRefusal(op.Exchange) || trace.IsRefusal(of.Exchange)) {
			m.tellTry(m.ev.ByCopy[op.Copy], op, of)
		}
	}
}

func (m *emulation) tellTry(tl *trace.Timeline, op, other history.Operation) {
	if op.Exchange.Succeeded() {
		op, other = other, op
	}
	if !m.told.First(tl.Copy.Object, tl.Copy.Manifest, op.Attempt, op.Exchange.Code, op.Role) {
		return
	}
	f := m.infidelity(tl, op.Step)
	f.Outcome = trace.OutcomeOf(op).OfCall()
	f.Replica, f.Via, f.Release = op.Replica, op.Role, m.ev.History.Releases[op.Role].Version
	m.report(&f, fmt.Sprintf("%s %s: step %d (%s): %s, as a dry run, was answered %s by %s (%s), and %s by %s (%s)",
		f.Kind, f.Copy, f.Step, f.Stage, term.Attempts().Meaning(op.Attempt), blame.AnswerText(m.ev, tl.Manifest.Kind, op.Exchange), op.Replica, f.Release,
		blame.AnswerText(m.ev, tl.Manifest.Kind, other.Exchange), other.Replica, m.ev.History.Releases[other.Role].Version))
}

// becomes sets the state and the cause of a finding about a value, and returns them in words.
func (m *emulation) becomes(tl *trace.Timeline, number int, f *result.Finding) string {
	at := trace.ParsePath(f.Path)
	for _, role := range []term.Role{m.of, m.by} {
		if m.ev.Declares(role, tl, at) {
			continue
		}
		if m.ev.Steps[number].Step.Verb.Writes() {
			f.Cause = blame.CauseNotKept(m.ev, tl, role)
		}
		return fmt.Sprintf(" (%s does not publish the field)", m.ev.History.Releases[role].Version)
	}
	if f.Cause != term.Defaulted && (blame.GateIsOff(m.ev, tl, m.by, at) || blame.GateIsOff(m.ev, tl, m.of, at)) {
		f.Cause = term.GateDisabled
	}
	return blame.RefusedSince(f.Cause)
}
