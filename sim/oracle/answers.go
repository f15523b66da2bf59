package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// answers judges that every call is answered as its line declares: with
// success, unless respond says otherwise. Its facts are the calls. Failures
// that break what worked before are told by the rules that they break, and
// control copies are there for those rules alone.
func answers(e *evidence) judged {
	var j judged
	for _, number := range e.calls.steps {
		act := e.acts[number]
		l := e.lifeOf(number)
		if l == nil {
			l = e.whole(e.steps[number].step.Object)
		}
		if l.copy.Role != term.Control {
			e.judgeAnswer(l, act, &j)
		}
	}
	return j
}

// whole stands for all copies of an object: what a LIST is about.
func (e *evidence) whole(object string) *life {
	for _, l := range e.byCopy {
		if l.copy.Object == object {
			return &life{copy: plan.Copy{Object: object}, manifest: l.manifest, kind: l.kind}
		}
	}
	return &life{copy: plan.Copy{Object: object}}
}

func (e *evidence) judgeAnswer(l *life, act history.Operation, j *judged) {
	want := e.steps[act.Step].step.Respond
	if e.interrupted(act.Exchange) {
		j.untold++
		return
	}
	if want != nil && len(want.Fields) > 0 && e.lacks(act.Exchange) {
		j.untold, j.reason = j.untold+1, lackedBody
		return
	}
	if e.panicked(act.Step) {
		j.facts++ // rule-3 tells it, whatever was declared
		return
	}
	if !act.Done() && e.teller(act.Step) != term.Answers {
		return
	}
	if act.Done() && e.steps[act.Step].step.FieldSelector != "" && e.listed(act.Step, "") == nil {
		j.untold, j.reason = j.untold+1, unlisted
		return
	}
	wrong := e.wrongAnswer(l, act, want)
	if wrong == "" && len(e.selected(act).unsaid) > 0 {
		j.untold, j.reason = j.untold+1, untellable
		return
	}
	j.facts++
	if wrong == "" || act.Done() && want != nil && want.Code >= http.StatusBadRequest && e.relaxed(act.Step) > 0 {
		return // or rule-2 tells it
	}
	f := e.finding(l, term.Answers, act.Step)
	f.Rule, f.Class, f.State, f.Cause = e.brokenBy(l, act, want), term.Violation, outcomeOf(act).callState(), e.whyFailed(l, act.Step)
	if !act.Done() {
		e.asRefused(l, act, &f)
	}
	if e.asksAhead(l, act.Step) {
		f.Class, f.Rule = term.Impact, term.Rule3
	}
	wrong += e.unservedText(l, act.Step)
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s): %s", l.manifest.Kind, cmp.Or(l.copy.Name, l.copy.Object), act.Step,
		f.Stage, e.made(act.Step), wrong+refusedSince(f.Cause))
	j.findings = append(j.findings, f)
}

// brokenBy is the rule that a wrong answer breaks: where a refusal was declared
// and a success came, that what is invalid stays so; where the object uses the
// change, that clients which need not know of it go on as before; else, and where
// discovery led the client astray, whatever the object uses, that what succeeded
// before still does.
func (e *evidence) brokenBy(l *life, act history.Operation, want *scenarios.Respond) term.Rule {
	if act.Done() && (want != nil && want.Code >= http.StatusBadRequest || e.wrongSelection(act) != "") {
		return term.Rule2
	}
	if e.calls.usesIn(l, act.Step) && !e.isLed(l, act.Step) {
		return term.Rule5
	}
	return term.Rule1
}

// wrongAnswer says what about an answer is not as declared, "" for nothing.
func (e *evidence) wrongAnswer(l *life, act history.Operation, want *scenarios.Respond) string {
	x := act.Exchange
	if want == nil {
		want = &scenarios.Respond{}
	}
	switch {
	case want.Code == 0 && !act.Done(), outcomeOf(act) == misread:
		return fmt.Sprintf("answered %s; a success was due", e.cameTo(l.manifest.Kind, act))
	case want.Code != 0 && x.Code != want.Code:
		return fmt.Sprintf("answered %s; respond declares %d", e.answerText(l.manifest.Kind, x), want.Code)
	}
	for _, text := range want.Warnings {
		if !slices.ContainsFunc(x.Warnings, func(w string) bool { return strings.Contains(w, text) }) {
			return fmt.Sprintf("no warning says %q, as respond declares; warnings: %q", text, e.words(l, x.Warnings))
		}
	}
	return cmp.Or(e.wrongField(l, x, want.Fields), e.wrongSelection(act))
}

// wrongField says which declared value an answer does not show. Values are
// compared as the kind means them: 1000m is 1.
func (e *evidence) wrongField(l *life, x history.Exchange, want map[string]any) string {
	object := e.history.Object(x.Answer)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		p, err := path.Parse(name)
		if err != nil {
			continue // the scenario was refused for it before the run
		}
		got, shown := path.Get(object, p)
		if absent := !shown || got == nil; absent && want[name] == nil || !absent && same(l, p, got, want[name]) {
			continue
		}
		return fmt.Sprintf("the answer shows %s = %s; respond declares %s", name,
			schema.Text(e.shown(l, name, got)), schema.Text(e.shown(l, name, want[name])))
	}
	return ""
}

// same tells whether two values mean the same at a path of the copy's kind.
func same(l *life, p fieldpath.Path, a, b any) bool {
	one, other := holding(l, p, a), holding(l, p, b)
	return b != nil && maps.EqualFunc(one, other, func(x, y schema.Leaf) bool { return x.Semantic == y.Semantic })
}

// holding are the leaves of an object that has nothing but the value.
func holding(l *life, p fieldpath.Path, v any) schema.Leaves {
	object := map[string]any{}
	if err := path.Set(object, p, v); err != nil {
		return schema.Leaves{path.String(p): {Path: p, Value: v, Semantic: schema.Text(v)}}
	}
	return leavesIn(l.kind, object)
}
