package oracle

import (
	"fmt"
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// A removal is owed as a value is: an operation that names a path, takes the value away and
// is answered with success must not leave the value where it was.

// removalKept reports a value that the operation which withdrew it was to remove, and that
// the answer to that very operation still shows. It is reported once for what is removed
// together.
func (e *evidence) removalKept(l *life, n *entry, j *judged, said map[string]bool) {
	at := e.removedAt(l, n)
	if at == nil {
		return
	}
	j.facts++
	if !e.showsStill(l, n) {
		return
	}
	switch e.refills(l, n) {
	case present:
	case untold:
		j.untold, j.reason = j.untold+1, "whether a default took the place of a removed value is not known"
	default:
		if key := fmt.Sprint("not removed ", path.String(at), " ", n.withdrawn); !said[key] {
			said[key] = true
			j.findings = append(j.findings, e.notRemoved(l, n, at))
		}
	}
}

// removedAt is the path by which the operation that withdrew a value removes it; nil: it
// does not, or was not answered with success, or went through a release without the path.
// An apply only gives up what it owned, and of related paths one restores the other.
func (e *evidence) removedAt(l *life, n *entry) fieldpath.Path {
	act, step := e.acts[n.withdrawn], e.steps[n.withdrawn].step
	if n.withdrawn == 0 || step.Mutation == nil || !act.Exchange.Succeeded() || e.mute(act) || !e.declares(act.Role, l, n.leaf.Path) {
		return nil
	}
	w := write{e: e, l: l, n: n, act: act, step: step}
	patches := step.Verb.Modifies() && !step.Verb.Whole() && !slices.Contains([]term.Verb{term.Apply, term.ExtractApply, term.ClientSideApply}, step.Verb)
	_, sent := n.in(leavesIn(l.kind, plainly(l.manifest.Kind, e.history.Object(act.Exchange.Sent))))
	_, offered := n.in(e.offers(l, act, step))
	names := named(l.manifest.Kind, step)
	i := slices.IndexFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, n.leaf.Path) })
	switch {
	case i < 0, offered, !w.reaches(), otherVersion(l, step), e.leavesRelated(names, n.leaf.Path):
		return nil
	case step.Verb.Whole() && !sent, patches && !sent && w.cut() != untouched:
		return names[i]
	}
	return nil
}

// leavesRelated reports whether a path is one of a group of related paths of which the
// operation does not name all.
func (e *evidence) leavesRelated(names []fieldpath.Path, p fieldpath.Path) bool {
	return slices.ContainsFunc(e.related, func(group []fieldpath.Path) bool {
		return isAbout(group, p) && slices.ContainsFunc(group, func(member fieldpath.Path) bool { return !isAbout(names, member) })
	})
}

// showsStill reports whether the answer to the operation that withdrew a value shows it as
// it was.
func (e *evidence) showsStill(l *life, n *entry) bool {
	leaf, shown := n.in(e.leavesOf(l, e.acts[n.withdrawn].Exchange.Answer))
	return shown && leaf.Semantic == n.leaf.Semantic
}

// refills finds out whether the release fills a value in where a client sends none: a
// default takes the place of what is removed. A create without the value tells; what a
// server says of an object, in its status, has no defaults.
func (e *evidence) refills(l *life, n *entry) presence {
	role := e.acts[n.withdrawn].Role
	if e.isPublishedDefault(l, role, n.leaf) || e.filledUnsent(l, role, n) {
		return present
	}
	bare, asked := e.calls.bare[n.withdrawn]
	switch {
	case ofStatus(e.steps[n.withdrawn].step):
		return absent
	case !asked: // the history is of a version that did not ask
		return present
	case bare.Exchange.Succeeded():
		if leaf, shown := n.in(e.leavesOf(l, bare.Exchange.Answer)); shown && leaf.Semantic == n.leaf.Semantic {
			return present
		}
		return absent
	case slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity}, bare.Exchange.Code):
		return absent // a default would have made the object that was valid with the value
	}
	return untold
}

// filledUnsent reports whether a release answered the create of another copy of the kind
// with the value, though nothing was sent there.
func (e *evidence) filledUnsent(l *life, role term.Role, n *entry) bool {
	return slices.ContainsFunc(e.byCopy, func(other *life) bool {
		act := e.acts[other.created]
		if other.created == 0 || act.Role != role || other.manifest.Kind != l.manifest.Kind || other.manifest.APIVersion != l.manifest.APIVersion || other.copy.Leg > 0 {
			return false
		}
		leaf, shown := n.in(e.leavesOf(other, act.Exchange.Answer))
		return shown && leaf.Semantic == n.leaf.Semantic && !e.wasSent(other, act, n.leaf.Path)
	})
}

func (e *evidence) notRemoved(l *life, n *entry, at fieldpath.Path) result.Finding {
	act := e.acts[n.withdrawn]
	f := e.finding(l, term.NothingLost, n.withdrawn)
	f.Path, f.State, f.AcknowledgedStep = path.String(at), term.NotAccepted, n.offered
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	if v, shown := path.Get(e.history.Object(act.Exchange.Answer), at); shown {
		f.After = e.shown(l, f.Path, v)
	}
	f.Class, f.Rule = term.Violation, term.Rule2
	if e.isChange(l, n.leaf.Path) {
		f.Rule = term.Rule4
	}
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), was removed in step %d (%s: %s), which was answered %d, and the answer still shows %s; no default fills it in; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), n.offered, e.servedBy(n.offered), f.Step, f.Stage, e.made(f.Step), act.Exchange.Code, schema.Text(f.After), f.Class, f.Rule)
	return f
}
