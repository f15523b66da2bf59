package checks

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// Answers judges that every call is answered as its line declares: with success, unless respond
// says otherwise. Its facts are the calls. A failure that breaks what worked before is reported
// by the check of the rule that it breaks, and control copies exist only for those rules.
func Answers(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, number := range ev.Calls.Steps {
		act := ev.Acts[number]
		tl := trace.TimelineOf(ev, number)
		if tl == nil {
			tl = ev.AllCopiesOf(ev.Steps[number].Step.Object)
		}
		if tl.Copy.Role != term.Control {
			judgeAnswer(ev, tl, act, &j)
		}
	}
	return j
}

func judgeAnswer(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, j *blame.Judged) {
	want := ev.Steps[act.Step].Step.Respond
	if blame.MayBeInterrupted(ev, act.Exchange) {
		j.Indeterminate++
		return
	}
	if want != nil && len(want.Fields) > 0 && ev.LacksBody(act.Exchange) {
		j.Indeterminate, j.Reason = j.Indeterminate+1, trace.BodyMissing
		return
	}
	if ev.Panicked(act.Step) {
		j.Facts++ // rule-3 reports it, whatever was declared
		return
	}
	if !act.Done() && blame.ReporterOf(ev, act.Step) != term.CheckAnswers {
		return
	}
	if act.Done() && ev.Steps[act.Step].Step.FieldSelector != "" && listed(ev, act.Step, "") == nil {
		j.Indeterminate, j.Reason = j.Indeterminate+1, unlisted
		return
	}
	wrong := wrongAnswer(ev, tl, act, want)
	if wrong == "" && len(selected(ev, act).unsaid) > 0 {
		j.Indeterminate, j.Reason = j.Indeterminate+1, unknownLabel
		return
	}
	j.Facts++
	if wrong == "" || act.Done() && want != nil && want.Code >= http.StatusBadRequest && trace.RefusedBefore(ev, act.Step) > 0 {
		return // or rule-2 reports it
	}
	f := blame.NewCollector(ev, tl, term.CheckAnswers, act.Step)
	f.Rule, f.Class, f.Outcome, f.Cause = brokenBy(ev, tl, act, want), term.Violation, trace.OutcomeOf(act).OfCall(), blame.WhyFailed(ev, tl, act.Step)
	if !act.Done() {
		asRefused(ev, tl, act, &f)
	}
	cannot := trace.CannotDo(ev, act)
	if cannot || trace.AsksAhead(ev, tl, act.Step) {
		f.Class, f.Rule = term.Impact, term.Rule3
	}
	if cannot && f.Cause == term.Unattributed && blame.ChangesImmutable(ev, tl, act) {
		f.Cause = term.Immutable
	}
	wrong += trace.UnservedText(ev, tl, act.Step)
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s): %s", tl.Manifest.Kind, cmp.Or(tl.Copy.Name, tl.Copy.Object), act.Step,
		f.Stage, blame.StepText(ev, act.Step), wrong+blame.RefusedSince(f.Cause))
	j.Findings = append(j.Findings, f)
}

// brokenBy returns the rule that a wrong answer breaks. If a refusal was declared and a success
// came: invalid requests stay invalid. If the object uses the change: clients that do not know
// the change keep working. Otherwise, and if discovery led the client to an unserved version:
// what succeeded before still succeeds.
func brokenBy(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, want *scenarios.Respond) term.Rule {
	if act.Done() && (want != nil && want.Code >= http.StatusBadRequest || wrongSelection(ev, act) != "") {
		return term.Rule2
	}
	if trace.UsesChangeAt(ev.Calls, tl, act.Step) && !trace.IsLed(ev, tl, act.Step) {
		return term.Rule5
	}
	return term.Rule1
}

// wrongAnswer says how an answer differs from its declaration, "" if it does not.
func wrongAnswer(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, want *scenarios.Respond) string {
	x := act.Exchange
	if want == nil {
		want = &scenarios.Respond{}
	}
	switch {
	case want.Code == 0 && !act.Done(), trace.OutcomeOf(act) == ruling.Misread:
		return fmt.Sprintf("answered %s; the call should succeed", blame.OutcomeText(ev, tl.Manifest.Kind, act))
	case want.Code != 0 && x.Code != want.Code:
		return fmt.Sprintf("answered %s; respond declares %d", blame.AnswerText(ev, tl.Manifest.Kind, x), want.Code)
	}
	for _, text := range want.Warnings {
		if !slices.ContainsFunc(x.Warnings, func(w string) bool { return strings.Contains(w, text) }) {
			return fmt.Sprintf("no warning says %q, as respond declares; warnings: %q", text, blame.ServerTexts(ev, tl, x.Warnings))
		}
	}
	return cmp.Or(wrongField(ev, tl, x, want.Fields), wrongSelection(ev, act))
}

// wrongField names a declared value that an answer does not show. Values are compared with the
// semantics of the kind: 1000m equals 1.
func wrongField(ev *trace.Evidence, tl *trace.Timeline, x history.Exchange, want map[string]any) string {
	object := ev.History.Object(x.Answer)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		p, err := path.Parse(name)
		if err != nil {
			continue // the scenario was refused for it before the run
		}
		got, shown := path.Get(object, p)
		if absent := !shown || got == nil; absent && want[name] == nil || !absent && trace.Same(tl, p, got, want[name]) {
			continue
		}
		return fmt.Sprintf("the answer shows %s = %s; respond declares %s", name,
			schema.Text(blame.Redacted(ev, tl, name, got)), schema.Text(blame.Redacted(ev, tl, name, want[name])))
	}
	return ""
}
