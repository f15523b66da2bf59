package oracle

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// notAccepted tells of a value that a success was answered to, and not shown.
// What was refused is the check answers' to tell: the client knows of it.
func (e *evidence) notAccepted(l *life, n *entry, j *judged) {
	if e.asGoodAsAbsent(l, n) {
		return
	}
	j.facts++
	act := e.acts[n.offered]
	f := e.finding(l, term.NothingLost, n.offered)
	f.Path, f.State, f.Before = n.name, term.NotAccepted, e.shown(l, n.name, n.leaf.Value)
	f.Cause = e.causeNotAccepted(l, n)
	f.Class, f.Rule = e.classNotAccepted(l, n, f.Cause)
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d %s, and the answer %s; %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.Step, f.Stage, e.made(f.Step), act.Exchange.Code,
		e.warned(l, n), e.instead(l, n, &f), f.Cause, f.Class, f.Rule)
	j.findings = append(j.findings, f)
}

// classNotAccepted tells what must be expected of a server without the change, or
// with its gate off, from a server that should know better: one that publishes
// the field and answers with success has silently changed what was sent.
func (e *evidence) classNotAccepted(l *life, n *entry, why term.Cause) (term.Class, term.Rule) {
	class, _ := e.class(l, n.leaf.Path)
	switch {
	case why == term.GateDisabled: // just what the rule asks for
		return term.Impact, term.Lifecycle
	case e.retired(l, n.leaf.Path) && !e.declares(e.acts[n.offered].Role, l, n.leaf.Path):
		return term.Impact, term.Lifecycle
	case !e.declares(e.acts[n.offered].Role, l, n.leaf.Path):
		return class, term.Rule3
	case e.isChange(l, n.leaf.Path): // it does not come back as it went in
		return term.Violation, term.Rule4
	}
	return class, term.Rule2
}

// causeNotAccepted derives why the answer to the very write that sent a value
// does not show it.
func (e *evidence) causeNotAccepted(l *life, n *entry) term.Cause {
	act := e.acts[n.offered]
	w := write{e: e, l: l, n: n, act: act, step: e.steps[n.offered].step}
	_, typed := act.Client.Role()
	switch {
	case !e.declares(act.Role, l, n.leaf.Path):
		return e.ignorance(l, act.Role)
	case otherVersion(l, w.step):
		return term.Converted
	case (w.step.Verb.Whole() || typed && e.history.HasObject(act.Exchange.Sent)) && !w.sends():
		return unless(!typed, term.ClientOmitted)
	case e.gateIsOff(l, act.Role, n.leaf.Path):
		return term.GateDisabled
	}
	if leaf, shown := n.in(e.leavesOf(l, act.Exchange.Answer)); shown && e.isPublishedDefault(l, act.Role, leaf) {
		return term.Defaulted
	}
	return term.Unattributed
}

// warned tells whether the client was told that something is wrong.
func (e *evidence) warned(l *life, n *entry) string {
	warnings := e.acts[n.offered].Exchange.Warnings
	if len(warnings) == 0 {
		return "without a warning"
	}
	return fmt.Sprintf("with the warning %q", e.word(l, warnings[0]))
}

// instead says what the answer shows in the value's place: another value, or how
// much is gone with it.
func (e *evidence) instead(l *life, n *entry, f *result.Finding) string {
	leaves := e.leavesOf(l, e.acts[n.offered].Exchange.Answer)
	at := n.leaf.Path
	if leaf, shown := n.in(leaves); shown {
		f.After = e.shown(l, n.name, leaf.Value)
		return "shows " + schema.Text(f.After)
	}
	for i := 1; i < len(at); i++ {
		if whole := at[:i+1]; at[i].FieldName == nil && !below(leaves, whole) {
			return fmt.Sprintf("does not show it: the whole element %s is gone", path.String(whole))
		}
	}
	if up := at[:len(at)-1]; len(up) > 1 && emptied(leaves, up) {
		return fmt.Sprintf("does not show it: it leaves %s empty", path.String(up))
	}
	return "does not show it"
}

// emptied tells whether what holds a value is there, with nothing in it.
func emptied(leaves schema.Leaves, at fieldpath.Path) bool {
	leaf, there := leaves[path.String(at)]
	return there && leaf.Semantic == schema.Empty
}
