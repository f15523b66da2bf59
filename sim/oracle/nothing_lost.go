package oracle

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// nothingLost judges that every acknowledged value stays, in every later
// stored version, until an operation names its path. Its facts are the answers
// in which an acknowledged value was looked for.
func nothingLost(e *evidence) judged {
	var j judged
	equal := groupsOf(e.history.Header.Plan.Equal)
	for _, l := range e.byCopy {
		e.holes(l, &j)
		e.judgeEqual(l, equal, &j)
		e.acceptedWhileOff(l, &j)
		told := telling{j: &j, said: map[string]bool{}}
		for _, n := range l.entries {
			if n.unread {
				j.untold, j.reason = j.untold+1, unreadBody
				continue
			}
			if !n.acknowledged {
				e.notAccepted(l, n, &j, told.said)
				continue
			}
			if !ours(n) {
				j.facts += e.lookedFor(l, n)
			}
			e.removalKept(l, n, &j, told.said)
			if n.open {
				j.untold++
			}
			for _, lost := range n.losses {
				if e.byConversion(l, n, lost) {
					continue // rule-4 tells it
				}
				for _, f := range e.lossFindings(l, n, lost) {
					told.tell(f, lost.version)
				}
			}
			for _, w := range n.withheld {
				told.tell(e.withheldFinding(l, n, w), w.version)
			}
			for _, m := range e.findMistaken(l, n) {
				told.tell(e.mistakenFinding(l, n, m), m.version)
			}
		}
	}
	return j
}

// ours tells the label that skewsim itself writes: it is judged, but that it is
// kept says nothing of anyone's data.
func ours(n *entry) bool {
	at := n.leaf.Path
	return len(at) > 0 && at[len(at)-1].FieldName != nil && *at[len(at)-1].FieldName == plan.TouchLabel
}

// holes counts the versions that answers tell of and the store's record lacks,
// and the writes whose answers are lost.
func (e *evidence) holes(l *life, j *judged) {
	for _, step := range l.acts {
		if x := e.acts[step].Exchange; e.steps[step].step.Verb.Writes() && x.Succeeded() && e.lacks(x) {
			j.untold, j.reason = j.untold+1, lackedBody
		}
	}
	for _, v := range l.versions {
		if v.unrecorded {
			j.untold++
			j.reason = fmt.Sprintf("the record of the store lacks revision %d, which an answer about %s carries",
				v.change.Revision, l.copy.Name)
		}
	}
}

// telling gathers the findings about one copy. Values below a member that is
// gone give that member's finding each: it is told once.
type telling struct {
	j    *judged
	said map[string]bool
}

func (t telling) tell(f result.Finding, v *version) {
	key := fmt.Sprint(f.Path, " ", f.State, " ", f.Via, " ", v.change.Revision)
	if !t.said[key] {
		t.said[key] = true
		t.j.findings = append(t.j.findings, f)
	}
}

// lookedFor counts the answers after an entry's acknowledgement that could show
// it. The acknowledgement itself is none of them.
func (e *evidence) lookedFor(l *life, n *entry) int {
	facts := 0
	for _, s := range l.sights {
		own := s.step == n.offered && (s.purpose == history.Act || s.purpose == history.Read)
		if s.ok() && s.step >= n.offered && !own && (n.withdrawn == 0 || s.step < n.withdrawn) {
			facts++
		}
	}
	return facts
}

// lossFindings are the facts about one loss. A value whose place a default took
// was lost, where that can be told, and then changed.
func (e *evidence) lossFindings(l *life, n *entry, lost loss) []result.Finding {
	f := e.lossFinding(l, n, lost)
	if f.Cause != term.Defaulted {
		return []result.Finding{f}
	}
	gone := lost
	gone.state = term.Lost
	if first := e.lossFinding(l, n, gone); first.Cause != term.Unattributed {
		return []result.Finding{first, f}
	}
	return []result.Finding{f}
}

func (e *evidence) lossFinding(l *life, n *entry, lost loss) result.Finding {
	if o, moved := e.reordered(l, n, lost); moved {
		return e.orderFinding(l, n, lost, o)
	}
	at := n.leaf.Path
	if lost.state == term.Lost && lost.after.Path == nil && lost.shown != "" {
		at = e.topmostGone(l, at, e.leavesOf(l, lost.shown))
	}
	f := e.finding(l, term.NothingLost, lost.version.step)
	f.Path, f.State = path.String(at), lost.state
	beside := e.blame(l, n, lost, at, &f)
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	if lost.state == term.Changed {
		f.After = e.shown(l, f.Path, lost.after.Value)
	}
	f.AcknowledgedStep = n.offered
	before, after := l.around(lost.version)
	e.closeBooks(&f, before, after)
	f.Message = e.lossMessage(l, f, lost)
	if beside != nil {
		f.Message += fmt.Sprintf(": it carried %s, which is related, as it was", path.String(beside))
	}
	return f
}

// blame gives a loss at a path its cause, class and rule. What is said later is nearer to
// the matter, and takes the place of what was said before. A related path that was
// carried back, and makes the loss a violation, is returned.
func (e *evidence) blame(l *life, n *entry, lost loss, at fieldpath.Path, f *result.Finding) (beside fieldpath.Path) {
	if f.Cause = e.causeAt(l, n, lost.version); f.Cause == term.Converted && e.doneAnyway(l, n, lost) {
		f.Cause = term.Unattributed
	}
	if lost.state == term.Changed && (e.defaulted(l, n, lost) || f.Cause == term.UnknownField && e.filledIn(l, n, lost)) {
		f.Cause = term.Defaulted
	}
	f.Class, f.Rule = e.classOfLoss(l, at, f.Cause)
	if f.Cause == term.UnknownField && lost.state == term.Lost && e.leavesEmptyUnion(l, at, lost.shown) {
		f.Cause = term.UnionEmptied
	}
	switch f.Cause {
	case term.GateDisabled: // the object had it already: it must stay
		f.Class, f.Rule = term.Violation, term.Lifecycle
	case term.BadEncoding:
		f.Class, f.Rule = term.Violation, term.Storage
	case term.ClientOmitted:
		if role, _ := f.Client.Role(); role == term.Older { // neither end of the pair is at fault
			f.Class, f.Rule = term.Impact, term.Rule5
		}
	}
	if beside = e.keptBeside(l, n, lost, f.Cause); beside != nil {
		f.Class, f.Rule = term.Violation, term.Rule5
	}
	return beside
}

// leavesEmptyUnion tells whether what held a value that is gone is stored as an empty
// object, and published as a union.
func (e *evidence) leavesEmptyUnion(l *life, gone fieldpath.Path, shown string) bool {
	up := gone[:len(gone)-1]
	return len(up) > 1 && shown != "" && l.kind.Union(up) && emptied(e.leavesOf(l, shown), up)
}

// topmostGone climbs from a value that is gone to the highest member that is
// gone with it. It stops below a member that other releases publish: a loss of
// the change is none of what the change was added to.
func (e *evidence) topmostGone(l *life, p fieldpath.Path, after schema.Leaves) fieldpath.Path {
	for after != nil && len(p) > 1 {
		up := p[:len(p)-1]
		if below(after, up) || e.publishers(l, up) != e.publishers(l, p) {
			break
		}
		p = up
	}
	return p
}

// publishers tells which releases publish a place for the path.
func (e *evidence) publishers(l *life, p fieldpath.Path) (who [2]bool) {
	for i, role := range newestFirst() {
		who[i] = e.declares(role, l, p)
	}
	return who
}

// offeredValue is what the acknowledged request held at the path.
func (e *evidence) offeredValue(l *life, n *entry, at fieldpath.Path) any {
	if len(at) == len(n.leaf.Path) {
		return n.leaf.Value
	}
	if v, ok := path.Get(e.history.Object(e.acts[n.offered].Exchange.Sent), at); ok {
		return v
	}
	return n.leaf.Value
}

// shown is a value as results may show it: what is confidential as fingerprints.
func (e *evidence) shown(l *life, at string, v any) any {
	return e.policy.Value(l.manifest.Kind, at, v, e.history.Header.Salt)
}

// finding fills in what every finding about a copy and a step has.
func (e *evidence) finding(l *life, name term.CheckName, step int) result.Finding {
	at := e.steps[step]
	f := result.Finding{
		Check: name, Object: l.copy.Object, Kind: l.manifest.Kind, Copy: l.copy.Name, CopyRole: l.copy.Role,
		Step: step, Stage: at.stage, Client: at.step.Client, Verb: at.step.Verb,
		Read: at.step.ReadRole, Via: at.step.ViaRole, Replica: at.step.Via, Cause: term.Unattributed,
		Encoding: at.step.Encoding, FieldValidation: at.step.FieldValidation, Order: l.copy.Order,
	}
	if f.Via != "" {
		f.Release = e.history.Releases[f.Via].Version
	}
	return f
}

// class tells a sanctioned impact from a violation: rule-6 says that objects
// which use the change are impacted by a rollback, and a field is part of the
// change when the old release does not publish it.
func (e *evidence) class(l *life, at fieldpath.Path) (term.Class, term.Rule) {
	if e.usesAt(l, at) {
		return term.Impact, term.Rule6
	}
	if l.copy.Role == term.Bystander && slices.Contains(e.history.Header.Plan.Journey, term.Rollback) {
		return term.Violation, term.Rule6
	}
	return term.Violation, term.Rule2
}

// made tells who did a step, in words.
func (e *evidence) made(step int) string {
	at, ok := e.steps[step]
	if !ok || step == 0 {
		return "a write that no step asked for (the servers' own)"
	}
	s := at.step
	text := fmt.Sprintf("%s by %s%s", s.Verb, s.Client, s.Manner())
	if s.Read != "" {
		text += fmt.Sprintf(", read %s (%s)", s.Read, e.history.Releases[s.ReadRole].Version)
	}
	if s.Via != "" {
		text += fmt.Sprintf(", via %s (%s%s)", s.Via, e.history.Releases[s.ViaRole].Version, e.still(step))
	}
	return text
}

func (e *evidence) lossMessage(l *life, f result.Finding, lost loss) string {
	became := "was lost"
	if f.State == term.Changed {
		became = "became " + schema.Text(f.After)
	}
	when := e.when(l, f, lost)
	return fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), %s %s: %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.AcknowledgedStep, e.servedBy(f.AcknowledgedStep), became,
		when, e.wrote(l, f, lost.version), f.Cause, e.why(f), f.Class, f.Rule)
}

// why says what a cause means for what a step did: a create rewrites nothing.
func (e *evidence) why(f result.Finding) string {
	if step := e.steps[f.Step].step; f.Cause == term.UnknownField && (step.Birth || step.Verb == term.Create) {
		return "a server whose release does not know the field did not store it"
	}
	return term.Causes().Meaning(f.Cause)
}

// when says in which step a value was lost, or between which.
func (e *evidence) when(l *life, f result.Finding, lost loss) string {
	if f.Step == 0 {
		return e.span(l, lost.version)
	}
	return fmt.Sprintf("in step %d (%s)", f.Step, f.Stage)
}

// span says between which steps a version came to be that no step wrote.
func (e *evidence) span(l *life, v *version) string {
	after, before := l.between(v)
	text := fmt.Sprintf("after step %d (%s)", after, e.steps[after].stage)
	switch {
	case before == 0:
		return text
	case before <= after:
		return fmt.Sprintf("while step %d (%s) was played", before, e.steps[before].stage)
	}
	return text + fmt.Sprintf(" and before step %d (%s)", before, e.steps[before].stage)
}

// servedBy is the version of the server that answered a step.
func (e *evidence) servedBy(step int) string {
	if act, ok := e.acts[step]; ok {
		return e.history.Releases[act.Role].Version
	}
	return "unknown"
}

// interrupted reports whether a missing answer may be the run's own doing. A panic's is not.
func (e *evidence) interrupted(x history.Exchange) bool {
	return x.Code == 0 && x.Panic == nil && !e.history.Complete()
}
