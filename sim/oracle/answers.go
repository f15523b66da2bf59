package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// answers judges that every call is answered as its line declares: with
// success, unless respond says otherwise. Its facts are the calls.
func answers(e *evidence) judged {
	var j judged
	for _, l := range e.byCopy {
		for _, number := range l.acts {
			act := e.acts[number]
			if e.interrupted(act.Exchange) {
				j.untold++
				continue
			}
			j.facts++
			if wrong := e.wrongAnswer(l, act, e.steps[number].step.Respond); wrong != "" {
				f := e.finding(l, term.Answers, number)
				f.Rule, f.Class, f.State = brokenBy(l), term.Violation, answerState(act.Exchange)
				f.Message = fmt.Sprintf("%s %s: step %d (%s: %s): %s", l.manifest.Kind, l.copy.Name, number, f.Stage, e.made(number), wrong)
				j.findings = append(j.findings, f)
			}
		}
	}
	return j
}

// brokenBy is the rule that a wrong answer breaks: where the object uses the
// change, that clients which need not know of it go on as before; else, that
// what succeeded before still does.
func brokenBy(l *life) term.Rule {
	if l.copy.Role == term.Bystander {
		return term.Rule1
	}
	return term.Rule5
}

func answerState(x history.Exchange) term.State {
	switch {
	case x.Succeeded():
		return term.NotAccepted
	case x.Code >= 400 && x.Code < 500:
		return term.Refused
	}
	return term.Undecodable
}

// wrongAnswer says what about an answer is not as declared, "" for nothing.
func (e *evidence) wrongAnswer(l *life, act history.Operation, want *scenarios.Respond) string {
	x := act.Exchange
	if want == nil {
		want = &scenarios.Respond{}
	}
	switch {
	case want.Code == 0 && !x.Succeeded():
		return fmt.Sprintf("answered %s; a success was due", answerText(x))
	case want.Code != 0 && x.Code != want.Code:
		return fmt.Sprintf("answered %s; respond declares %d", answerText(x), want.Code)
	}
	for _, text := range want.Warnings {
		if !slices.ContainsFunc(x.Warnings, func(w string) bool { return strings.Contains(w, text) }) {
			return fmt.Sprintf("no warning says %q, as respond declares; warnings: %q", text, x.Warnings)
		}
	}
	return e.wrongField(l, x, want.Fields)
}

func (e *evidence) wrongField(l *life, x history.Exchange, want map[string]any) string {
	object := e.history.Object(x.Answer)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		p, err := path.Parse(name)
		if err != nil {
			continue // the scenario was refused for it before the run
		}
		got, shown := path.Get(object, p)
		if absent := !shown || got == nil; absent == (want[name] == nil) && (absent || schema.Text(got) == schema.Text(want[name])) {
			continue
		}
		return fmt.Sprintf("the answer shows %s = %s; respond declares %s", name,
			schema.Text(e.shown(l, name, got)), schema.Text(e.shown(l, name, want[name])))
	}
	return ""
}
