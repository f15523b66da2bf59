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

// dropped is what an answer shows in the place of a value that was sent.
type dropped struct {
	at      fieldpath.Path // the highest member that is gone with the value; else the value's own
	element bool           // it is a list element or a map entry, and held the value
	empty   fieldpath.Path // what held the value, and is empty now; nil: it is not
	shown   *schema.Leaf   // another value; nil: there is none
}

// notAccepted tells of a value that a success was answered to, and not shown: once
// of what is gone with it. What was refused is the check answers' to tell: the client
// knows of it.
func (e *evidence) notAccepted(l *life, n *entry, j *judged, said map[string]bool) {
	if e.asGoodAsAbsent(l, n) {
		return
	}
	j.facts++
	d := e.droppedWith(l, n)
	key := fmt.Sprint("not accepted ", path.String(d.at), " ", n.offered)
	if said[key] {
		return
	}
	said[key] = true
	if d.element {
		n = e.unknownIn(l, n, d.at)
	}
	act := e.acts[n.offered]
	f := e.finding(l, term.NothingLost, n.offered)
	f.Path, f.State = path.String(d.at), term.NotAccepted
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, d.at))
	f.Cause = e.causeNotAccepted(l, n, d)
	f.Class, f.Rule = e.classNotAccepted(l, n, f.Cause)
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d %s, and the answer %s; %s: %s%s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.Step, f.Stage, e.made(f.Step), act.Exchange.Code,
		e.warned(l, n), e.instead(l, n, d, &f), f.Cause, e.why(f), e.gateOf(l, n, f.Cause), f.Class, f.Rule)
	j.findings = append(j.findings, f)
}

// droppedWith finds out what is gone with a value. An element counts as a whole only
// where its list is known to be kept: else it may be the list that was dropped.
func (e *evidence) droppedWith(l *life, n *entry) dropped {
	leaves := e.leavesOf(l, e.acts[n.offered].Exchange.Answer)
	at := n.leaf.Path
	if leaf, shown := n.in(leaves); shown {
		return dropped{at: at, shown: &leaf}
	}
	for i := 1; i < len(at)-1; i++ {
		if whole := at[:i+1]; l.kind.Member(whole) && !below(leaves, whole) && e.keepsOthers(l, n, at[:i]) {
			return dropped{at: whole, element: true}
		}
	}
	d := dropped{at: e.topmostGone(l, at, leaves)}
	if up := d.at[:len(d.at)-1]; len(up) > 1 && emptied(leaves, up) {
		d.empty = up
	}
	return d
}

// unknownIn is the first of the values sent with one, in the element that held it, that
// the release has no place for; else the value itself.
func (e *evidence) unknownIn(l *life, n *entry, element fieldpath.Path) *entry {
	i := slices.IndexFunc(l.entries, func(o *entry) bool {
		return o.offered == n.offered && path.Contains(element, o.leaf.Path) && !e.declares(e.acts[n.offered].Role, l, o.leaf.Path)
	})
	if i < 0 {
		return n
	}
	return l.entries[i]
}

// keepsOthers tells whether the release that was called has shown that it keeps
// something in a list or a map: in this answer or in another.
func (e *evidence) keepsOthers(l *life, n *entry, list fieldpath.Path) bool {
	role := e.acts[n.offered].Role
	if below(e.leavesOf(l, e.acts[n.offered].Exchange.Answer), list) {
		return true
	}
	for _, other := range e.byCopy {
		if other.manifest.APIVersion != l.manifest.APIVersion || other.manifest.Kind != l.manifest.Kind {
			continue
		}
		for _, o := range other.entries {
			if o.acknowledged && e.acts[o.offered].Role == role && path.Contains(list, o.leaf.Path) {
				return true
			}
		}
	}
	return false
}

// classNotAccepted tells what must be expected of a server without the change, or
// with its gate off, from a server that should know better: one that publishes
// the field and answers with success has silently changed what was sent. A gate
// that is off has its own field cleared, and nothing beside it.
func (e *evidence) classNotAccepted(l *life, n *entry, why term.Cause) (term.Class, term.Rule) {
	class, _ := e.class(l, n.leaf.Path)
	declared := e.declares(e.acts[n.offered].Role, l, n.leaf.Path)
	switch {
	case why == term.GateDisabled: // just what the rule asks for
		return term.Impact, term.Lifecycle
	case why == term.UnionEmptied && declared:
		return term.Impact, term.Lifecycle
	case why == term.ElementGone && e.clearedWith(l, n.offered):
		return term.Violation, term.Lifecycle
	case e.retired(l, n.leaf.Path) && !declared:
		return term.Impact, term.Lifecycle
	case !declared:
		return class, term.Rule3
	case e.isChange(l, n.leaf.Path): // it does not come back as it went in
		return term.Violation, term.Rule4
	}
	return class, term.Rule2
}

// causeNotAccepted derives why the answer to the very write that sent a value
// does not show it.
func (e *evidence) causeNotAccepted(l *life, n *entry, d dropped) term.Cause {
	act := e.acts[n.offered]
	w := write{e: e, l: l, n: n, act: act, step: e.steps[n.offered].step}
	_, typed := act.Client.Role()
	declared := e.declares(act.Role, l, n.leaf.Path)
	switch {
	case !declared && d.union(l):
		return term.UnionEmptied
	case !declared && !d.element:
		return e.ignorance(l, act.Role)
	case otherVersion(l, w.step):
		return term.Converted
	case (w.step.Verb.Whole() || typed && e.history.HasObject(act.Exchange.Sent)) && !w.sends():
		return unless(!typed, term.ClientOmitted)
	case d.element:
		return term.ElementGone
	case e.clears(l, act.Role, n.leaf):
		if d.union(l) {
			return term.UnionEmptied
		}
		return term.GateDisabled
	}
	if d.shown != nil && e.isPublishedDefault(l, act.Role, *d.shown) {
		return term.Defaulted
	}
	return term.Unattributed
}

// union tells whether what was left empty is published as a union.
func (d dropped) union(l *life) bool { return d.empty != nil && l.kind.Union(d.empty) }

// gateOf names the gate that is off, where one is the cause, or may be.
func (e *evidence) gateOf(l *life, n *entry, why term.Cause) string {
	role := e.acts[n.offered].Role
	gated := why == term.GateDisabled || why == term.UnionEmptied && e.declares(role, l, n.leaf.Path)
	switch {
	case gated:
		return fmt.Sprintf(" (%s)", e.gateWords(l, role, n.leaf))
	case why == term.Unattributed:
		return e.gateGuess(l, role, n.leaf)
	case why == term.ElementGone && e.clears(l, role, n.leaf):
		return fmt.Sprintf(", and more than a gate that is off has cleared (%s)", e.gateWords(l, role, n.leaf))
	}
	return ""
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
func (e *evidence) instead(l *life, n *entry, d dropped, f *result.Finding) string {
	switch {
	case d.shown != nil:
		f.After = e.shown(l, n.name, d.shown.Value)
		return "shows " + schema.Text(f.After)
	case d.element:
		return "does not show it: the whole element is gone"
	case d.empty != nil:
		return fmt.Sprintf("does not show it: it leaves %s empty", path.String(d.empty))
	}
	return "does not show it"
}

// emptied tells whether what holds a value is there, with nothing in it.
func emptied(leaves schema.Leaves, at fieldpath.Path) bool {
	leaf, there := leaves[path.String(at)]
	return there && leaf.Semantic == schema.Empty
}
