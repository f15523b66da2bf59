package decoding

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// EverythingDecodes judges that whatever is stored can be read, in all the ways
// there are: by GET after each write, by LIST and WATCH and dry-run DELETE
// through every live replica, and on scratch stores by servers of either
// release. Its facts are those GETs and tries, each copy that a LIST must show,
// each change that a WATCH must tell, and each trial.
func EverythingDecodes(ev *evidence.Evidence) finding.Judged {
	d := &decoding{ev: ev, said: finding.Once{}, lagged: map[term.Role]map[string]bool{}, asked: map[string][]*trace.Timeline{}}
	d.gets()
	(&trialDecoding{startDecoding{d}}).trials()
	d.lists()
	(&watchDecoding{decoding: d, owed: map[string][]owed{}, leaving: leavings(ev)}).watches()
	d.deletes()
	(&startDecoding{d}).starts()
	(&hashDecoding{d}).storageHashes()
	return d.Judged
}

// decoding is what all ways of reading have in common, and the reading by GET, LIST and
// DELETE.
type decoding struct {
	finding.Judged
	ev     *evidence.Evidence
	said   finding.Once                  // what is reported: each value, of each release, once
	asked  map[string][]*trace.Timeline  // see shownAs
	lagged map[term.Role]map[string]bool // whether LISTs from caches were all older than a copy
	failed map[roleResource]int          // see broken; nil: not asked yet
}

func (d *decoding) find(f result.Finding) { d.Findings = append(d.Findings, f) }

func (d *decoding) lackUntold(reason string) {
	d.Indeterminate++
	d.Reason = reason
}

// gets judges the GETs of operations and those after them, in the order of
// steps: of a value that cannot be read, the first is reported.
func (d *decoding) gets() {
	var all []*history.Operation
	for i, op := range d.ev.History.Operations {
		if d.ev.ByCopy[op.Copy] != nil && (op.Purpose == history.Look || op.Purpose == history.Read) {
			all = append(all, &d.ev.History.Operations[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *history.Operation) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(trace.PurposeRank(a.Purpose), trace.PurposeRank(b.Purpose)), cmp.Compare(a.Replica, b.Replica))
	})
	for _, op := range all {
		d.get(*op, d.ev.ByCopy[op.Copy])
	}
}

func (d *decoding) get(op history.Operation, tl *trace.Timeline) {
	ev, x := d.ev, op.Exchange
	switch {
	case tl.IsGone(op.Step), op.Follows == "" && evidence.DoesNotServe(ev, op.Role, tl, op.Step), op.Purpose == history.Read && evidence.AsksUnservedVersion(ev, op.Role, tl, op.Step):
		return
	case op.Purpose == history.Read && trace.OutcomeOf(op) == trace.Misread:
		return // the call came to nothing more: the rule that it breaks tells it
	case x.Panic != nil: // rule-3 tells it
		d.Facts++
		return
	case finding.MayBeInterrupted(ev, x):
		d.Indeterminate++
		return
	case x.Succeeded() && ev.LacksBody(x):
		d.lackUntold(trace.BodyMissing)
		return
	}
	d.Facts++
	if x.Succeeded() && ev.History.HasObject(x.Answer) {
		return
	}
	f := unread(ev, tl, op.Step, op.Replica, op.Role, x)
	if !d.first(tl, op, &f) {
		return
	}
	said := finding.AnswerText(d.ev, tl.Manifest.Kind, x)
	if x.Succeeded() {
		said += " with a body that is no object"
	}
	f.Message = fmt.Sprintf("%s %s: GET through %s (%s) after step %d (%s: %s) was answered %s; %s",
		tl.Manifest.Kind, tl.Copy.Name, op.Replica, f.Release, op.Step, f.Stage, finding.StepText(ev, op.Step), said, meant(f))
	d.find(f)
}

// first says why a release does not read a value, where the value tells, and
// whether this is the first to be told of it.
func (d *decoding) first(tl *trace.Timeline, op history.Operation, f *result.Finding) bool {
	if f.State != term.Undecodable {
		return true
	}
	value, c := d.ev.ValueMet(tl, op)
	f.Cause = evidence.UnreadCause(d.ev, op.Role, c)
	return d.said.First("value", op.Role, value)
}

// meant is the rule in words, with the cause where there is one.
func meant(f result.Finding) string {
	text := term.Rules().Meaning(f.Rule)
	if f.Cause != term.Unattributed {
		text = fmt.Sprintf("%s: %s; %s", f.Cause, term.Causes().Meaning(f.Cause), text)
	}
	return text
}

// unread is a finding about an answer that is no object. A 404 for an
// object that is stored means that it is gone; anything else, that it cannot
// be read.
func unread(ev *evidence.Evidence, tl *trace.Timeline, step int, replica string, role term.Role, x history.Exchange) result.Finding {
	f := finding.New(ev, tl, term.EverythingDecodes, step)
	f.Rule, f.Class = term.Storage, term.Violation
	f.Replica, f.Via, f.Release = replica, role, ev.History.Releases[role].Version
	f.State = trace.OutcomeOfExchange(x).ReadState()
	return f
}

// deletes judges the tries to delete: an object that cannot be read often
// cannot be deleted either.
func (d *decoding) deletes() {
	ev := d.ev
	never := evidence.NeverWritable(ev)
	for _, op := range ev.Calls.Tries {
		if op.Attempt != term.DeleteAttempt {
			continue
		}
		due := never.TriedCopies(ev, op)
		if len(due) == 0 {
			continue
		}
		tl := evidence.Tried(ev, op, due)
		if op.Exchange.Panic != nil { // rule-3 tells it
			d.Facts += len(due)
			continue
		}
		if finding.MayBeInterrupted(ev, op.Exchange) {
			d.Indeterminate++
			continue
		}
		d.Facts += len(due)
		if op.Exchange.Succeeded() || ev.Calls.Refusals[evidence.RefusalKey(tl.Copy.Object, op.Exchange.Code)] {
			continue
		}
		f := unread(ev, tl, op.Step, op.Replica, op.Role, op.Exchange)
		f.Verb = term.Delete
		due = d.notYetTold(due, op.Role)
		if !d.first(tl, op, &f) || len(due) == 0 {
			continue
		}
		f.Message = fmt.Sprintf("%s %s%s: a DELETE through %s (%s), tried in step %d (%s), was answered %s; %s",
			f.Kind, f.Copy, finding.OthersText(due[1:]), op.Replica, f.Release, op.Step, f.Stage, finding.AnswerText(d.ev, f.Kind, op.Exchange), meant(f))
		d.find(f)
	}
}

// notYetTold are the copies of which no DELETE by the release was told yet: one
// that cannot be deleted is reported of once, where it was found.
func (d *decoding) notYetTold(names []string, role term.Role) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !d.said.First("delete", role, name) })
}
