package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// held is what a release meets in the store and cannot read.
type held struct {
	copies []string
	cause  term.Cause // why, where all of it has one cause
	since  int        // the first step that stored some of it; 0: no step of this run did
}

func (h held) some() bool { return len(h.copies) > 0 }

// add takes in one more stored value.
func (h *held) add(l *life, cause term.Cause, step int) {
	if slices.Contains(h.copies, l.copy.Name) {
		return
	}
	switch {
	case !h.some():
		h.cause, h.since = cause, step
	case h.cause != cause:
		h.cause = term.Unattributed
	}
	h.copies, h.since = append(h.copies, l.copy.Name), min(h.since, step)
}

// held returns the copies of a kind whose values, as they were at a step, the
// release was seen not to read. Where no GET tells of any, it returns those that are
// stored in another version of the resource.
func (d *decoding) held(apiVersion, kind string, role term.Role, step int) held {
	found := held{cause: term.Unattributed}
	for _, l := range d.shownAs(role, apiVersion, kind) {
		if value := d.e.valueAt(l, step); d.e.stored(l, step+1) && d.e.calls.unread.has(role, value) {
			found.add(l, d.e.calls.unread.cause(role, []string{value}), d.e.storedStep(l, step))
		}
	}
	if found.some() {
		return found
	}
	return d.otherVersions(apiVersion, kind, role, step)
}

// askedIn is the version in which a release is asked for a copy.
func (e *evidence) askedIn(role term.Role, l *life) string {
	return e.history.Releases[role].AskedIn(l.manifest.APIVersion, l.manifest.Kind)
}

// shownAs are the copies that a release is asked for as a kind in a version.
func (d *decoding) shownAs(role term.Role, apiVersion, kind string) []*life {
	key := string(role) + " " + kindOf(apiVersion, kind)
	lives, known := d.asked[key]
	if !known {
		for _, l := range d.e.byCopy {
			if l.manifest.Kind == kind && d.e.askedIn(role, l) == apiVersion {
				lives = append(lives, l)
			}
		}
		d.asked[key] = lives
	}
	return lives
}

// storedStep is the step that stored what a copy holds at a step; 0: no step did.
func (e *evidence) storedStep(l *life, step int) int {
	if v := e.storedBy(l, step); v != nil {
		return v.step
	}
	return 0
}

// otherVersions are the copies of a resource that are stored in a version of it which
// the other release serves, and this one does not: nobody can be asked for them
// through it, and a LIST in a version that it serves meets them all the same.
func (d *decoding) otherVersions(apiVersion, kind string, role term.Role, step int) held {
	found := held{cause: term.Unattributed}
	for _, l := range d.e.byCopy {
		v := d.e.storedBy(l, step)
		if groupKind(l.manifest.APIVersion, l.manifest.Kind) == groupKind(apiVersion, kind) && v != nil && !l.gone(step) && d.e.unreadCause(role, v.change) == term.BadVersion {
			found.add(l, term.BadVersion, v.step)
		}
	}
	return found
}

// heldAt returns what a server of a release meets at a step and cannot read, of all
// the kinds that it serves.
func (d *decoding) heldAt(role term.Role, step int) held {
	all := held{cause: term.Unattributed}
	for _, r := range d.e.history.Releases[role].Resources {
		one := d.held(r.APIVersion, r.Kind, role, step)
		for _, name := range one.copies {
			all.add(d.e.calls.lives[name], one.cause, one.since)
		}
	}
	return all
}

// startsOver is the first step, as the plan has it, that starts a server of a release
// over what was stored in a step; 0: there is none.
func (e *evidence) startsOver(role term.Role, since int) int {
	first := 0
	for number, at := range e.steps {
		starts := at.step.Action == plan.Start || at.step.Action == plan.Replace
		if starts && at.step.Role == role && number > since && (first == 0 || number < first) {
			first = number
		}
	}
	return first
}

// groupKind names a resource, whatever version of it is meant: its group and kind.
func groupKind(apiVersion, kind string) string { return schema.GroupOf(apiVersion) + " " + kind }
