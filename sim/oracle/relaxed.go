package oracle

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// invalid tells whether an answer says that what was sent is not valid.
func invalid(x history.Exchange) bool {
	return x.Code == http.StatusBadRequest || x.Code == http.StatusUnprocessableEntity
}

// alwaysInvalid are, by signature, the calls of the first stage that were
// refused as invalid wherever they were made, on copies which do not use the
// change: of each the first. A copy with a past is no measure for others.
func (e *evidence) alwaysInvalid() map[string]int {
	all := map[string]int{}
	for _, number := range e.calls.steps {
		at, l := e.steps[number], e.lifeOf(number)
		if at.index > 0 || l == nil || e.hadPast(l, number) || !invalid(e.acts[number].Exchange) || !e.plain(l, number) || e.calls.before[at.sign] > 0 {
			continue
		}
		if _, known := all[at.sign]; !known {
			all[at.sign] = number
		}
	}
	return all
}

// plain tells whether a call has nothing to do with the change: neither its copy
// nor what it sends uses that, so that a release has nothing new to allow.
func (e *evidence) plain(l *life, number int) bool {
	if e.calls.uses(l) {
		return false
	}
	sent, told := e.about(l, e.acts[number])
	if !told {
		return false
	}
	for _, leaf := range sent {
		if e.isChangeOf(l, e.steps[number].step, leaf.Path) || e.treatedAlone(l, leaf) {
			return false
		}
	}
	return true
}

// about are the values that a call sends, and those that its operations meet. Not told: its body cannot be read.
func (e *evidence) about(l *life, act history.Operation) (all []schema.Leaf, told bool) {
	x := act.Exchange
	if x.Sent == "" {
		return nil, true
	}
	body := e.history.Object(x.Sent)
	if body == nil {
		return e.aboutOfOperations(l, act)
	}
	return slices.Collect(maps.Values(leavesIn(l.kind, body))), true
}

// treatedAlone tells whether a value is what makes the treated forms of the kind
// treated: one of them holds it, and no bystander does. The change may be a value,
// such as one more word for a field that both releases publish.
func (e *evidence) treatedAlone(l *life, leaf schema.Leaf) bool {
	treated := false
	for _, other := range e.byCopy {
		if other.manifest.APIVersion != l.manifest.APIVersion || other.manifest.Kind != l.manifest.Kind {
			continue
		}
		held, has := leavesIn(l.kind, other.manifest.Body)[path.String(leaf.Path)]
		switch {
		case !has || held.Semantic != leaf.Semantic:
		case other.copy.Role == term.Treated:
			treated = true
		case other.copy.Role != term.Untouched: // which is of either form
			return false
		}
	}
	return treated
}

// relaxed is the call of the first stage that was refused as invalid, where the
// same call succeeds now; 0: there is none.
func (e *evidence) relaxed(number int) int {
	at, l := e.steps[number], e.lifeOf(number)
	if at.index == 0 || l == nil || e.hadPast(l, number) || !e.acts[number].Done() || !e.plain(l, number) {
		return 0
	}
	return e.calls.invalid[at.sign]
}

// judgeRelaxed judges that what was invalid before the upgrade stays so, of what
// has nothing to do with the change. Its facts are those calls made again.
func (e *evidence) judgeRelaxed(j *judged) {
	for _, number := range e.calls.steps {
		at := e.steps[number]
		if at.index == 0 || e.calls.invalid[at.sign] == 0 {
			continue
		}
		j.facts++
		if before := e.relaxed(number); before > 0 {
			j.findings = append(j.findings, e.nowValid(number, before))
		}
	}
}

func (e *evidence) nowValid(number, before int) result.Finding {
	l := e.lifeOf(number)
	f := e.finding(l, term.CheckRule2, number)
	f.Rule, f.Class, f.State = term.Rule2, term.Violation, term.Changed
	f.Message = fmt.Sprintf("%s was answered %s; the same call was answered %s in %s: explicitly invalid values do not become valid; %s under %s",
		e.called(l, f), e.answerText(l.manifest.Kind, e.acts[number].Exchange),
		e.answerText(l.manifest.Kind, e.acts[before].Exchange), e.referred(before), f.Class, f.Rule)
	return f
}
