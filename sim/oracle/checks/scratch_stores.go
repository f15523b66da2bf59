package checks

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// trialDecoding judges what servers over scratch stores read of what was stored.
type trialDecoding struct{ startDecoding }

// trials judges how servers of each release read recorded values, on scratch stores. GETs come
// first: they show which values the others met.
func (d *trialDecoding) trials() {
	all := slices.Clone(d.ev.History.Trials)
	rank := []history.TrialKind{history.TrialGet, history.TrialList, history.TrialWatch, history.TrialStart}
	slices.SortStableFunc(all, func(a, b history.Trial) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.Trial), slices.Index(rank, b.Trial)), cmp.Compare(a.Step, b.Step),
			cmp.Compare(a.Role, b.Role), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Form, b.Form))
	})
	changes, usual := d.ev.Changes, usualStart(d.ev)
	for _, t := range all {
		switch {
		case t.Panic != nil: // rule-3 reports it
			d.Facts++
		case d.ev.MayBeCutOff(t):
			d.Indeterminate++
		case t.Trial == history.TrialGet:
			d.tryGet(t, changes[t.Revision])
		case t.Trial == history.TrialStart:
			d.tryStart(t, usual)
		default:
			d.tryList(t)
		}
	}
}

func (d *trialDecoding) tryGet(t history.Trial, c history.Change) {
	ev, tl := d.ev, d.ev.ByCopy[t.Copy]
	if tl == nil {
		return
	}
	d.Facts++
	if t.Code == http.StatusOK && t.Error == "" {
		return
	}
	step, value := ev.ValueTried(tl, t)
	f := unread(ev, tl, step, "", t.Role, trace.AsExchange(t))
	if f.Outcome == term.Undecodable {
		f.Cause = trace.UnreadCauseOf(ev, t.Role, c, trace.AsExchange(t))
		if !d.said.First("value", t.Role, value) {
			return
		}
	}
	f.Message = fmt.Sprintf("%s %s: what step %d (%s: %s) stored, as %s of %s at revision %d, %s cannot read: GET on a scratch store that holds it, tried in step %d, was answered %s; %s",
		f.Kind, f.Copy, f.Step, f.Stage, blame.StepText(ev, f.Step), orUnknown(c.Encoding), orUnknown(c.APIVersion), t.Revision, f.Release, t.Step, blame.AnswerText(d.ev, f.Kind, trace.AsExchange(t)), meant(f))
	d.find(f)
}

func orUnknown(word string) string { return cmp.Or(word, "(unknown)") }

// tryList judges a LIST or a WATCH over recorded values.
func (d *trialDecoding) tryList(t history.Trial) {
	if held, cause := d.unreadOf(t); t.GaveUp && len(held) > 0 {
		d.Facts++
		d.trialBlocked(t, held, cause)
		return
	}
	if t.GaveUp {
		d.addIndeterminate("on a scratch store, the run stopped waiting for what a LIST or a WATCH had not shown yet")
		return
	}
	d.Facts++
	how := howTried(t)
	if t.Code != http.StatusOK || t.Error != "" {
		d.trialRefused(t, how)
		return
	}
	for _, name := range t.Missing {
		tl := d.ev.ByCopy[name]
		if tl == nil || !d.said.First("left out", t.Role, d.ev.ValueAt(tl, t.Step)) {
			continue
		}
		f := unread(d.ev, tl, t.Step, "", t.Role, history.Exchange{Code: http.StatusNotFound})
		f.Message = fmt.Sprintf("%s %s: %s by %s, on a scratch store that holds it, does not show it in step %d (%s); %s",
			f.Kind, f.Copy, how, f.Release, t.Step, f.Stage, meant(f))
		d.find(f)
	}
}

// howTried describes a LIST or a WATCH.
func howTried(t history.Trial) string {
	if t.Trial == history.TrialWatch {
		return "WATCH"
	}
	return "LIST" + formText(t.Form)
}

// trialBlocked reports a LIST or a WATCH that showed nothing more, on a store that holds what the
// release cannot read.
func (d *trialDecoding) trialBlocked(t history.Trial, held []string, cause term.Cause) {
	how := howTried(t)
	if !d.said.First("trial", how, t.Role, t.APIVersion, t.Kind, held) {
		return
	}
	f := aboutKind(d.ev, t.Kind, t.Step, "", t.Role)
	f.Outcome, f.Cause = term.Undecodable, cause
	f.Message = fmt.Sprintf("%s: %s by %s, on a scratch store of %d values, showed nothing of %s in step %d (%s), and the run stopped waiting%s; %s",
		t.Kind, how, f.Release, t.Values, blame.CopiesText(t.Missing), t.Step, f.Stage, holdsThese(held), meant(f))
	d.find(f)
}

func (d *trialDecoding) trialRefused(t history.Trial, how string) {
	held, cause := d.unreadOf(t)
	if len(held) > 0 && !d.said.First("trial", how, t.Role, t.APIVersion, t.Kind, held) {
		return
	}
	f := aboutKind(d.ev, t.Kind, t.Step, "", t.Role)
	f.Outcome, f.Cause = trace.Answer(trace.AsExchange(t)).Ending().OfRead(), cause
	f.Message = fmt.Sprintf("%s: %s by %s, on a scratch store of %d values, in step %d (%s) was answered %s%s; %s",
		t.Kind, how, f.Release, t.Values, t.Step, f.Stage, blame.AnswerText(d.ev, t.Kind, trace.AsExchange(t)), holdsThese(held), meant(f))
	d.find(f)
}

// unreadOf returns the copies of the trial's kind of which the release was seen not to read some
// value, and why it did not.
func (d *trialDecoding) unreadOf(t history.Trial) ([]string, term.Cause) {
	var copies, values []string
	for _, tl := range d.shownAs(t.Role, t.APIVersion, t.Kind) {
		for _, step := range tl.Acts {
			if value := d.ev.ValueAt(tl, step); d.ev.Unread.Has(t.Role, value) {
				copies, values = append(copies, tl.Copy.Name), append(values, value)
				break
			}
		}
	}
	return copies, d.ev.Unread.Cause(t.Role, values)
}

func holdsThese(copies []string) string {
	if len(copies) == 0 {
		return ""
	}
	return fmt.Sprintf(": it holds %s, which this release cannot read", blame.CopiesText(copies))
}
