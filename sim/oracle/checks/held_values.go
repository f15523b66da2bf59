package checks

import (
	"math"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// broken reports whether a release failed to read a resource at a step or later.
func (d *decoding) broken(role term.Role, resource string, since int) bool {
	if d.failed == nil {
		d.failed = failedReads(d.ev)
	}
	last, failed := d.failed[roleResource{role, resource}]
	return failed && last >= since
}

// roleResource is a release and a resource that it serves.
type roleResource struct {
	role     term.Role
	resource string
}

// failedReads returns the last step in which each release failed to LIST a resource. A failed
// WATCH belongs to no step, so it counts as later than all.
func failedReads(ev *trace.Evidence) map[roleResource]int {
	all := map[roleResource]int{}
	add := func(role term.Role, apiVersion, kind string, step int) {
		of := roleResource{role, groupKind(apiVersion, kind)}
		all[of] = max(all[of], step)
	}
	for _, l := range ev.History.Listings {
		if trace.Answer(l.Exchange).Ending() == ruling.CannotRead {
			add(l.Role, l.APIVersion, l.Kind, l.Step)
		}
	}
	for _, w := range ev.History.Watches {
		if w.Event == history.WatchError && w.Code != http.StatusGone && trace.Answer(asWatched(w)).Ending() == ruling.CannotRead {
			add(w.Role, w.APIVersion, w.Kind, math.MaxInt)
		}
	}
	return all
}

// stuck reports whether a release does not fill its cache of a resource at a step because it
// cannot read what is stored: what the cache lacks is reported there.
func (d *decoding) stuck(apiVersion, kind string, role term.Role, step int) bool {
	return d.broken(role, groupKind(apiVersion, kind), step) && d.held(apiVersion, kind, role, step).some()
}

// held lists what a release meets in the store and cannot read.
type held struct {
	copies []string
	cause  term.Cause // the cause, if all values have one
	since  int        // the first step that stored one of them; 0: no step of this run did
}

func (h held) some() bool { return len(h.copies) > 0 }

// add adds a stored value.
func (h *held) add(tl *trace.Timeline, cause term.Cause, step int) {
	if slices.Contains(h.copies, tl.Copy.Name) {
		return
	}
	switch {
	case !h.some():
		h.cause, h.since = cause, step
	case h.cause != cause:
		h.cause = term.Unattributed
	}
	h.copies, h.since = append(h.copies, tl.Copy.Name), min(h.since, step)
}

// held returns the copies of a kind whose values, as stored at a step, the release was seen not
// to read. If no GET shows any, it returns those that are stored in another version of the
// resource.
func (d *decoding) held(apiVersion, kind string, role term.Role, step int) held {
	found := held{cause: term.Unattributed}
	for _, tl := range d.shownAs(role, apiVersion, kind) {
		if value := d.ev.ValueAt(tl, step); !tl.IsGone(step+1) && d.ev.Unread.Has(role, value) {
			found.add(tl, d.ev.Unread.Cause(role, []string{value}), storedStep(d.ev, tl, step))
		}
	}
	if found.some() {
		return found
	}
	return d.otherVersions(apiVersion, kind, role, step)
}

// askedIn returns the version in which a release is asked for a copy.
func askedIn(ev *trace.Evidence, role term.Role, tl *trace.Timeline) string {
	return ev.History.Releases[role].AskedIn(tl.Manifest.APIVersion, tl.Manifest.Kind)
}

// shownAs returns the copies for which a release is asked as a kind in a version.
func (d *decoding) shownAs(role term.Role, apiVersion, kind string) []*trace.Timeline {
	key := string(role) + " " + trace.KindText(apiVersion, kind)
	lives, known := d.asked[key]
	if !known {
		for _, tl := range d.ev.Timelines {
			if tl.Manifest.Kind == kind && askedIn(d.ev, role, tl) == apiVersion {
				lives = append(lives, tl)
			}
		}
		d.asked[key] = lives
	}
	return lives
}

// storedStep returns the step that stored a copy's value as of a step; 0 if no step did.
func storedStep(ev *trace.Evidence, tl *trace.Timeline, step int) int {
	if v := ev.StoredBy(tl, step); v != nil {
		return v.Step
	}
	return 0
}

// otherVersions returns the copies of a resource that are stored in a version which the other
// release serves, and this one does not: no request in that version can reach them through this
// release, but a LIST in a version that it serves meets them.
func (d *decoding) otherVersions(apiVersion, kind string, role term.Role, step int) held {
	found := held{cause: term.Unattributed}
	for _, tl := range d.ev.Timelines {
		v := d.ev.StoredBy(tl, step)
		if groupKind(tl.Manifest.APIVersion, tl.Manifest.Kind) == groupKind(apiVersion, kind) && v != nil && !tl.IsGone(step) && trace.UnreadCause(d.ev, role, v.Change) == term.BadVersion {
			found.add(tl, term.BadVersion, v.Step)
		}
	}
	return found
}

// heldAt returns what a server of a release meets at a step and cannot read, of all the kinds
// that it serves.
func (d *decoding) heldAt(role term.Role, step int) held {
	all := held{cause: term.Unattributed}
	for _, r := range d.ev.History.Releases[role].Resources {
		one := d.held(r.APIVersion, r.Kind, role, step)
		for _, name := range one.copies {
			all.add(d.ev.ByCopy[name], one.cause, one.since)
		}
	}
	return all
}

// startsOver returns the first step of the plan that starts a server of a release over what was
// stored in a step; 0 if no step does.
func startsOver(ev *trace.Evidence, role term.Role, since int) int {
	first := 0
	for number, at := range ev.Steps {
		starts := at.Step.Action == plan.Start || at.Step.Action == plan.Replace
		if starts && at.Step.Role == role && number > since && (first == 0 || number < first) {
			first = number
		}
	}
	return first
}

// groupKind returns the group and the kind of a resource, without its version.
func groupKind(apiVersion, kind string) string { return schema.GroupOf(apiVersion) + " " + kind }
