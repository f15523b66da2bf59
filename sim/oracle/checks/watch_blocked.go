package checks

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// blocker is a change of the store that a watch cannot send.
type blocker struct {
	owed
	cause term.Cause
	since int // the first step of the plan that stored such a value
}

// blocker returns what keeps a watch from sending more: the first change of its resource that it
// had to send next, if its release cannot read that change, else nil. Several may be stored at
// once, in any order: since is the step that was planned first.
func (d *watchDecoding) blocker(s *stream) (first *blocker) {
	changes := d.resources[groupKind(s.apiVersion, s.kind)]
	for _, o := range changes[after(changes, s.last):] {
		cause, blocks := d.blocks(s.role, o)
		switch {
		case !blocks && first == nil && d.owes(s, o) && d.late(s, o):
			return nil
		case !blocks || !d.due(s, o):
		case first == nil:
			first = &blocker{o, cause, o.step}
		default:
			first.since = leastStep(first.since, o.step)
		}
	}
	return first
}

// leastStep returns the earlier of two steps, ignoring 0.
func leastStep(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// due reports whether a change was stored before the watch was closed.
func (d *watchDecoding) due(s *stream, o owed) bool {
	if s.closed > 0 {
		return o.v.Change.Revision <= s.closed
	}
	return o.step > 0 && o.step < d.closing(s)
}

// late reports whether a change was stored while the watch was open.
func (d *watchDecoding) late(s *stream, o owed) bool {
	return d.due(s, o) && (s.closed > 0 || o.step > s.step)
}

// blocks reports whether a release cannot read a change of the store, and why. A GET shows it; or
// the change is stored in a version that only the other release serves, and the release then
// failed to LIST or WATCH the resource. A release may be able to read a version that it does not
// serve.
func (d *watchDecoding) blocks(role term.Role, o owed) (term.Cause, bool) {
	c := o.v.Change
	if c.Deleted {
		return term.Unattributed, false
	}
	if value := d.ev.ValueAt(o.l, o.step); d.ev.Unread.Has(role, value) {
		return d.ev.Unread.Cause(role, []string{value}), true
	}
	// Whether the release failed comes first: it is known without reading what is stored.
	failed := d.broken(role, groupKind(o.l.Manifest.APIVersion, o.l.Manifest.Kind), o.step)
	return term.BadVersion, failed && trace.UnreadCause(d.ev, role, c) == term.BadVersion
}

// stalled reports a watch that sent nothing from a value on which its release was seen not to
// read: it cannot have sent anything else.
func (d *watchDecoding) stalled(s *stream, b *blocker) {
	d.Facts++
	f := aboutKind(d.ev, s.kind, max(s.step, b.since), s.replica, s.role)
	f.Outcome, f.Cause = term.Undecodable, b.cause
	f.Message = fmt.Sprintf("%s: the WATCH through %s (%s), opened in step %d (%s), sends nothing after revision %d: the next change is that of %s at revision %d, which this release cannot read; %s",
		s.kind, s.replica, f.Release, s.step, d.ev.Steps[s.step].Stage, s.last, b.l.Copy.Name, b.v.Change.Revision, meant(f))
	d.find(f)
}

// isWithdrawn reports whether a watch could not continue only because its server was about to be replaced by one of a
// release without the version: the definitions are replaced while the server still runs, and from then on it
// has no such version either. Nothing more is owed.
func (d *watchDecoding) isWithdrawn(s *stream, w history.Watch) bool {
	next := d.ev.Steps[d.closing(s)].Step.Role
	return s.opened && w.Code == http.StatusNotFound && len(d.ev.History.Releases[next].Defines) > 0 &&
		!d.ev.Serves(next, history.Change{APIVersion: s.apiVersion, Kind: s.kind})
}

// isRedefined reports whether a watch could not continue only because its kind was being
// redefined: the server of custom resources ends the watches of a definition that is replaced,
// and turns clients away until it has filled the cache of the new one. If the same server opens a
// watch of the kind later, the cache was filled, so the server reads everything that it covers.
func (d *watchDecoding) isRedefined(s *stream, w history.Watch) bool {
	if !s.opened || w.Code != http.StatusTooManyRequests || len(d.ev.History.Releases[s.role].Defines) == 0 {
		return false
	}
	return slices.ContainsFunc(d.ev.History.Watches, func(later history.Watch) bool {
		return later.Event == history.WatchOpened && later.Step > s.step &&
			later.Replica == s.replica && later.APIVersion == s.apiVersion && later.Kind == s.kind
	})
}
