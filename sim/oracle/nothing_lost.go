package oracle

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// nothingLost judges that every acknowledged value stays, in every later
// stored version, until an operation names its path. Its facts are the answers
// in which an acknowledged value was looked for.
func nothingLost(e *evidence) judged {
	var j judged
	for _, l := range e.byCopy {
		e.holes(l, &j)
		told := telling{j: &j, said: map[string]bool{}}
		for _, n := range l.entries {
			if !n.acknowledged {
				e.notAccepted(l, n, &j)
				continue
			}
			if !ours(n) {
				j.facts += e.lookedFor(l, n)
			}
			if n.open {
				j.untold++
			}
			for _, lost := range n.losses {
				told.tell(e.lossFinding(l, n, lost), lost.version)
			}
			e.withheld(l, n, told)
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

// notAccepted tells of a value that a success was answered to, and not shown.
// A zero value is as good as absent: most encoders leave it out.
func (e *evidence) notAccepted(l *life, n *entry, j *judged) {
	if slices.Contains([]string{schema.Empty, `""`, "0", "false"}, n.leaf.Semantic) {
		return
	}
	j.facts++
	act := e.acts[n.offered]
	f := e.finding(l, term.NothingLost, n.offered)
	f.Path, f.State, f.Before = n.name, term.NotAccepted, e.shown(l, n.name, n.leaf.Value)
	if !e.declares(act.Role, l, n.leaf.Path) {
		f.Cause = term.UnknownField
	}
	f.Class, _ = e.class(l, n.leaf.Path)
	f.Rule = term.Rule3
	warned := "without a warning"
	if len(act.Exchange.Warnings) > 0 {
		warned = fmt.Sprintf("with the warning %q", e.word(l, act.Exchange.Warnings[0]))
	}
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d %s, and the answer does not show it; %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.Step, f.Stage, e.made(f.Step), act.Exchange.Code, warned, f.Cause, f.Class, f.Rule)
	j.findings = append(j.findings, f)
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

func (e *evidence) lossFinding(l *life, n *entry, lost loss) result.Finding {
	at := n.leaf.Path
	if lost.state == term.Lost {
		at = e.topmostGone(l, at, lost.views)
	}
	f := e.finding(l, term.NothingLost, lost.version.step)
	f.Path, f.State = path.String(at), lost.state
	f.Cause = e.cause(l, n, lost.version.step)
	f.Class, f.Rule = e.class(l, at)
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	if lost.state == term.Changed {
		f.After = e.shown(l, f.Path, lost.after.Value)
	}
	f.AcknowledgedStep = n.offered
	f.Message = e.lossMessage(l, f)
	return f
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

// shown is a value as results may show it: Secrets as fingerprints.
func (e *evidence) shown(l *life, at string, v any) any {
	return redact.Value(l.manifest.Kind, at, v, e.history.Header.Salt)
}

// finding fills in what every finding about a copy and a step has.
func (e *evidence) finding(l *life, name term.CheckName, step int) result.Finding {
	at := e.steps[step]
	f := result.Finding{
		Check: name, Object: l.copy.Object, Kind: l.manifest.Kind, Copy: l.copy.Name, CopyRole: l.copy.Role,
		Step: step, Stage: at.stage, Client: at.step.Client, Verb: at.step.Verb,
		Read: at.step.ReadRole, Via: at.step.ViaRole, Replica: at.step.Via, Cause: term.Unattributed,
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
	uses := l.copy.Role != term.Bystander && !e.declares(term.Old, l, at) && e.declares(term.New, l, at)
	if uses {
		return term.Impact, term.Rule6
	}
	if l.copy.Role == term.Bystander {
		return term.Violation, term.Rule6
	}
	return term.Violation, term.Rule2
}

// cause derives why the step's write lost an entry's value, from what the
// releases publish, what the client had read and what it sent.
func (e *evidence) cause(l *life, n *entry, step int) term.Cause {
	act, ok := e.acts[step]
	if !ok {
		return term.Unattributed
	}
	at := n.leaf.Path
	if !e.declares(act.Role, l, at) {
		return term.UnknownField
	}
	read, ok := e.reads[step]
	if !ok {
		return term.Unattributed
	}
	if _, shown := n.in(e.leavesOf(l, read.Exchange.Answer)); !shown {
		return unless(e.declares(read.Role, l, at), term.ReadHidden)
	}
	role, typed := act.Client.Role()
	if _, sent := n.in(e.leavesOf(l, act.Exchange.Sent)); !sent && typed {
		return unless(e.declares(role, l, at), term.ClientOmitted)
	}
	return term.Unattributed
}

func unless(contradicted bool, cause term.Cause) term.Cause {
	if contradicted {
		return term.Unattributed
	}
	return cause
}

// made tells who did a step, in words.
func (e *evidence) made(step int) string {
	at, ok := e.steps[step]
	if !ok || step == 0 {
		return "a write that no step asked for (the servers' own)"
	}
	s := at.step
	text := fmt.Sprintf("%s by %s", s.Verb, s.Client)
	if s.Read != "" {
		text += fmt.Sprintf(", read %s (%s)", s.Read, e.history.Releases[s.ReadRole].Version)
	}
	if s.Via != "" {
		text += fmt.Sprintf(", via %s (%s)", s.Via, e.history.Releases[s.ViaRole].Version)
	}
	return text
}

func (e *evidence) lossMessage(l *life, f result.Finding) string {
	became := "was lost"
	if f.State == term.Changed {
		became = "became " + schema.Text(f.After)
	}
	return fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), %s in step %d (%s): %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.AcknowledgedStep, e.servedBy(f.AcknowledgedStep), became,
		f.Step, stageText(f.Stage), e.made(f.Step), f.Cause, term.Causes().Meaning(f.Cause), f.Class, f.Rule)
}

// servedBy is the version of the server that answered a step.
func (e *evidence) servedBy(step int) string {
	if act, ok := e.acts[step]; ok {
		return e.history.Releases[act.Role].Version
	}
	return "unknown"
}

func stageText(stage string) string {
	if stage == "" {
		return "between steps"
	}
	return stage
}

// interrupted tells whether a missing answer may be the run's own doing.
func (e *evidence) interrupted(x history.Exchange) bool {
	return x.Code == 0 && !e.history.Complete()
}
