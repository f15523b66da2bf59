package checks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// EverythingDecodes judges that everything stored can be read in all ways: by GET after each
// write, by LIST and WATCH and dry-run DELETE through every live replica, and on scratch stores
// by servers of either release. Its facts are those GETs and dry runs, each copy that a LIST must
// show, each change that a WATCH must send, and each trial.
func EverythingDecodes(ev *trace.Evidence) blame.Judged {
	d := &decoding{ev: ev, said: blame.Once{}, lagged: map[term.Role]map[string]bool{}, asked: map[string][]*trace.Timeline{}}
	d.gets()
	(&trialDecoding{startDecoding{d}}).trials()
	d.lists()
	(&watchDecoding{decoding: d, owed: map[string][]owed{}, leaving: leavings(ev)}).watches()
	d.deletes()
	(&startDecoding{d}).starts()
	(&hashDecoding{d}).storageHashes()
	return d.Judged
}

// decoding holds what all ways of reading share, and judges reads by GET, LIST and DELETE.
type decoding struct {
	blame.Judged
	ev     *trace.Evidence
	said   blame.Once                    // what is reported: each value once for each release
	asked  map[string][]*trace.Timeline  // see shownAs
	lagged map[term.Role]map[string]bool // whether LISTs from caches were all older than a copy
	failed map[roleResource]int          // see broken; nil: not asked yet
}

func (d *decoding) find(f result.Finding) { d.Findings = append(d.Findings, f) }

func (d *decoding) addIndeterminate(reason string) {
	d.Indeterminate++
	d.Reason = reason
}

// gets judges the GETs of operations and those after them, in the order of steps: the first GET
// that cannot read a value is reported.
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
	case tl.IsGone(op.Step), op.Follows == "" && trace.DoesNotServe(ev, op.Role, tl, op.Step), op.Purpose == history.Read && trace.AsksUnservedVersion(ev, op.Role, tl, op.Step):
		return
	case op.Purpose == history.Read && trace.OutcomeOf(op) == ruling.Misread:
		return // the check of the rule that the call breaks reports it
	case x.Panic != nil: // rule-3 reports it
		d.Facts++
		return
	case blame.MayBeInterrupted(ev, x):
		d.Indeterminate++
		return
	case x.Succeeded() && ev.LacksBody(x):
		d.addIndeterminate(trace.BodyMissing)
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
	said := blame.AnswerText(d.ev, tl.Manifest.Kind, x)
	if x.Succeeded() {
		said += " with a body that is not an object"
	}
	f.Message = fmt.Sprintf("%s %s: GET through %s (%s) after step %d (%s: %s) was answered %s; %s",
		tl.Manifest.Kind, tl.Copy.Name, op.Replica, f.Release, op.Step, f.Stage, blame.StepText(ev, op.Step), said, meant(f))
	d.find(f)
}

// first adds why a release does not read a value, where the value shows that, and reports whether
// this is the first finding about it.
func (d *decoding) first(tl *trace.Timeline, op history.Operation, f *result.Finding) bool {
	if f.Outcome != term.Undecodable {
		return true
	}
	value, c := d.ev.ValueMet(tl, op)
	f.Cause = trace.UnreadCauseOf(d.ev, op.Role, c, op.Exchange)
	return d.said.First("value", op.Role, value)
}

// meant returns the rule in words, with the cause if it is known.
func meant(f result.Finding) string {
	text := term.Rules().Meaning(f.Rule)
	if f.Cause != term.Unattributed {
		text = fmt.Sprintf("%s: %s; %s", f.Cause, term.Causes().Meaning(f.Cause), text)
	}
	return text
}

// unread returns the finding about an answer that is not an object. A 404 for an object that is
// stored means that it is gone; any other answer, that it cannot be read.
func unread(ev *trace.Evidence, tl *trace.Timeline, step int, replica string, role term.Role, x history.Exchange) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckEverythingDecodes, step)
	f.Class, f.Rule = ruling.Decodes()
	f.Replica, f.Via, f.Release = replica, role, ev.History.Releases[role].Version
	f.Outcome = trace.Answer(x).Ending().OfRead()
	return f
}

// deletes judges the dry-run deletes: an object that cannot be read often cannot be deleted
// either.
func (d *decoding) deletes() {
	ev := d.ev
	never := trace.NeverWritable(ev)
	for _, op := range ev.Calls.Tries {
		if op.Attempt != term.DeleteAttempt {
			continue
		}
		due := never.TriedCopies(ev, op)
		if len(due) == 0 {
			continue
		}
		tl := trace.Tried(ev, op, due)
		if op.Exchange.Panic != nil { // rule-3 reports it
			d.Facts += len(due)
			continue
		}
		if blame.MayBeInterrupted(ev, op.Exchange) {
			d.Indeterminate++
			continue
		}
		d.Facts += len(due)
		if op.Exchange.Succeeded() || ev.Calls.Refusals[trace.RefusalKey(tl.Copy.Object, op.Exchange.Code)] {
			continue
		}
		f := unread(ev, tl, op.Step, op.Replica, op.Role, op.Exchange)
		f.Verb = term.Delete
		due = d.notYetReported(due, op.Role)
		if !d.first(tl, op, &f) || len(due) == 0 {
			continue
		}
		f.Message = fmt.Sprintf("%s %s%s: a DELETE through %s (%s), tried in step %d (%s), was answered %s; %s",
			f.Kind, f.Copy, blame.OthersText(due[1:]), op.Replica, f.Release, op.Step, f.Stage, blame.AnswerText(d.ev, f.Kind, op.Exchange), meant(f))
		d.find(f)
	}
}

// notYetReported returns the copies for which no DELETE by the release is reported yet: a copy
// that cannot be deleted is reported once, where it was found.
func (d *decoding) notYetReported(names []string, role term.Role) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !d.said.First("delete", role, name) })
}
