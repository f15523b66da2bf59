package checks

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// lists judges the LISTs at the edges of stages and of the scenario's own lines.
func (d *decoding) lists() {
	all := slices.Clone(d.ev.History.Listings)
	slices.SortStableFunc(all, func(a, b history.Listing) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Replica, b.Replica), cmp.Compare(a.Form, b.Form))
	})
	for _, listing := range all {
		d.list(listing)
	}
	d.neverSeen()
}

// neverSeen counts the copies that no LIST from a cache of a release was new enough to show: a
// lagging cache need not show them yet, and all were lagging.
func (d *decoding) neverSeen() {
	for _, role := range slices.Sorted(maps.Keys(d.lagged)) {
		for _, name := range slices.Sorted(maps.Keys(d.lagged[role])) {
			if d.lagged[role][name] {
				d.addIndeterminate(fmt.Sprintf("every LIST from a cache was older than %s", name))
			}
		}
	}
}

// lag records whether a LIST from a cache was older than a copy, which another may still show.
func (d *decoding) lag(listing history.Listing, name string, behind bool) {
	if listing.Form != term.CachedList {
		return
	}
	if d.lagged[listing.Role] == nil {
		d.lagged[listing.Role] = map[string]bool{}
	}
	before, known := d.lagged[listing.Role][name]
	d.lagged[listing.Role][name] = behind && (before || !known)
}

func (d *decoding) list(listing history.Listing) {
	x := listing.Exchange
	switch {
	case x.Panic != nil: // rule-3 reports it
		d.Facts++
		return
	case blame.MayBeInterrupted(d.ev, x):
		d.Indeterminate++
		return
	case listing.Form == term.PagedList && listing.Pages > 0 && x.Code == http.StatusGone:
		d.addIndeterminate("a LIST's pages expired before the last: that is legal, and what they would have shown is not known")
		return
	case trace.Answer(x).Ending() != ruling.Done:
		if listIsOurs(d.ev, listing) {
			d.Facts++
			d.listRefused(listing)
		}
		return
	case listing.FieldSelector != "":
		return // answers judges what it must show
	}
	shown := map[string]bool{}
	for _, item := range listing.Items {
		shown[item.Copy] = true
	}
	for _, tl := range d.shownAs(listing.Role, listing.APIVersion, listing.Kind) {
		if !mustShow(d.ev, tl, listing) {
			continue
		}
		behind := lags(d.ev, tl, listing)
		if behind && d.stuck(listing.APIVersion, listing.Kind, listing.Role, listing.Step) {
			continue
		}
		d.lag(listing, tl.Copy.Name, behind)
		if behind {
			continue
		}
		d.Facts++
		if !shown[tl.Copy.Name] && d.said.First("left out", listing.Role, d.ev.ValueAt(tl, listing.Step)) {
			d.find(leftOut(d.ev, tl, listing))
		}
	}
}

// mustShow reports whether the copy certainly exists when a step LISTs. The operations of a stage
// overlap: a copy that one of them deletes may be gone before another, with a lower number,
// reads.
func mustShow(ev *trace.Evidence, tl *trace.Timeline, listing history.Listing) bool {
	at, deleted := ev.Steps[listing.Step], ev.Steps[tl.Deleted]
	overlap := at.Step.Action == plan.Operate && at.StageIndex == deleted.StageIndex
	return !tl.IsGone(listing.Step-1) && (tl.Deleted == 0 || listing.Step < tl.Deleted && !overlap)
}

// lags reports whether a LIST is from a cache and, by its own revision, older than the copy: it
// need not show later changes. A LIST from the store, in pages or whole, must.
func lags(ev *trace.Evidence, tl *trace.Timeline, listing history.Listing) bool {
	born := ev.Acts[tl.Created].Exchange.Revision
	return listing.Form == term.CachedList && listing.Exchange.Revision > 0 && listing.Exchange.Revision < born
}

// listRefused reports a LIST that was not answered with a list. If it is known to hold values
// that the release cannot read, it is reported once for them, and not once for each LIST.
func (d *decoding) listRefused(listing history.Listing) {
	held := d.held(listing.APIVersion, listing.Kind, listing.Role, listing.Step)
	why := "one object that cannot be decoded breaks the whole resource"
	if held.some() {
		if !d.said.First("list", listing.Role, listing.APIVersion, listing.Kind, listing.Exchange.Code, held.copies) {
			return
		}
		why = fmt.Sprintf("it holds %s, which this release cannot read", blame.CopiesText(held.copies))
	}
	f := aboutKind(d.ev, listing.Kind, listing.Step, listing.Replica, listing.Role)
	f.Outcome, f.Cause, f.Verb = trace.Answer(listing.Exchange).Ending().OfRead(), cmp.Or(trace.ProgramCause(listing.Exchange), held.cause), term.ListAll
	f.Message = fmt.Sprintf("%s: LIST%s through %s (%s) in step %d (%s) was answered %s: %s",
		listing.Kind, formText(listing.Form), listing.Replica, f.Release, listing.Step, f.Stage, blame.AnswerText(d.ev, listing.Kind, listing.Exchange), why)
	d.find(f)
}

// formText returns the form of a LIST, if it is not the usual one.
func formText(form term.ListForm) string {
	if form == "" || form == term.ConsistentList {
		return ""
	}
	return fmt.Sprintf(" (%s)", form)
}

// aboutKind returns a finding about a whole resource.
func aboutKind(ev *trace.Evidence, kind string, step int, replica string, role term.Role) result.Finding {
	return result.Finding{
		Check: term.CheckEverythingDecodes, Rule: term.RuleStorage, Class: term.Violation, Kind: kind, Cause: term.Unattributed,
		Step: step, Stage: ev.Steps[step].Stage, Replica: replica, Via: role, Release: ev.History.Releases[role].Version,
	}
}

func leftOut(ev *trace.Evidence, tl *trace.Timeline, listing history.Listing) result.Finding {
	f := unread(ev, tl, listing.Step, listing.Replica, listing.Role, history.Exchange{Code: http.StatusNotFound})
	f.Verb = term.ListAll
	f.Message = fmt.Sprintf("%s %s: LIST%s through %s (%s) in step %d (%s) does not show it, and no step deleted it",
		tl.Manifest.Kind, tl.Copy.Name, formText(listing.Form), listing.Replica, f.Release, listing.Step, f.Stage)
	return f
}

// listIsOurs reports whether this check reports a LIST that failed: a LIST at a stage's edge, or
// one of a line if the server could not read what it holds. Other failures of a line's call are
// reported by the check of the rule that they break.
func listIsOurs(ev *trace.Evidence, listing history.Listing) bool {
	act, line := ev.Acts[listing.Step]
	return !line || act.Done() || blame.ReporterOf(ev, listing.Step) == term.CheckEverythingDecodes
}
