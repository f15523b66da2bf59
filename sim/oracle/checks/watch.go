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
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// stream is one WATCH of one kind through one replica, event by event.
type stream struct {
	step       int
	replica    string
	role       term.Role
	apiVersion string
	kind       string
	from       int64 // the revision at which it was opened
	last       int64 // the newest revision that it sent, also in a bookmark
	closed     int64 // the newest revision that it had to send before its close, if the close says so
	opened     bool
	ended      bool // with an error, or with 410
	seen       map[sent]bool
	disorder   int64 // the first revision that came after a newer one; 0: none did
}

// sent is one change as a watch sends it.
type sent struct {
	copy     string
	revision int64
	deleted  bool
}

// owed is a change of the store that watches of its kind must send.
type owed struct {
	l    *trace.Timeline
	v    *trace.StoredVersion
	step int // the step that made it; 0: the servers themselves
}

// watchDecoding judges the events of WATCHes.
type watchDecoding struct {
	*decoding
	owed map[string][]owed // by release and kind: what watches must send
	// resources has the same changes by resource, in all its versions.
	resources map[string][]owed
	// leaving has, by replica, the steps in which its server is stopped.
	leaving map[string][]int
}

// watches judges that each watch sends every change of the store between its opening and its
// close, in order.
func (d *watchDecoding) watches() {
	if len(d.ev.History.Watches) == 0 {
		return
	}
	d.resources = d.owedByResource()
	for _, s := range d.streams() {
		d.watch(s, d.owedTo(s))
	}
}

// owedTo returns the changes that a watch must send.
func (d *watchDecoding) owedTo(s *stream) []owed {
	key := string(s.role) + " " + trace.KindText(s.apiVersion, s.kind)
	changes, known := d.owed[key]
	if !known {
		changes = owedOf(d.shownAs(s.role, s.apiVersion, s.kind))
		d.owed[key] = changes
	}
	return changes
}

// owedOf returns all recorded changes of some copies, in the store's order.
func owedOf(lives []*trace.Timeline) []owed {
	var all []owed
	for _, tl := range lives {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			step := v.Step
			if v.Change.Deleted {
				step = cmp.Or(step, tl.Deleted) // its answer need not carry the revision
			}
			if !v.Unrecorded {
				all = append(all, owed{tl, v, step})
			}
		}
	}
	slices.SortFunc(all, func(a, b owed) int { return cmp.Compare(a.v.Change.Revision, b.v.Change.Revision) })
	return all
}

// owedByResource returns all recorded changes, by resource: a watch in one version meets what is
// stored in any.
func (d *watchDecoding) owedByResource() map[string][]owed {
	lives, all := map[string][]*trace.Timeline{}, map[string][]owed{}
	for _, tl := range d.ev.Timelines {
		of := groupKind(tl.Manifest.APIVersion, tl.Manifest.Kind)
		lives[of] = append(lives[of], tl)
	}
	for of, some := range lives {
		all[of] = owedOf(some)
	}
	return all
}

// owes reports whether the watch must show the copy of a change.
func (d *watchDecoding) owes(s *stream, o owed) bool {
	return askedIn(d.ev, s.role, o.l) == s.apiVersion
}

// streams collects the events of each watch, and reports errors among them.
func (d *watchDecoding) streams() []*stream {
	var all []*stream
	byName := map[string]*stream{}
	for _, w := range d.ev.History.Watches {
		name := fmt.Sprint(w.Step, " ", w.Replica, " ", w.APIVersion, " ", w.Kind)
		s := byName[name]
		if s == nil {
			s = &stream{step: w.Step, replica: w.Replica, role: w.Role, apiVersion: w.APIVersion, kind: w.Kind, seen: map[sent]bool{}}
			byName[name] = s
			all = append(all, s)
		}
		d.hear(s, w)
	}
	slices.SortStableFunc(all, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.replica, b.replica), cmp.Compare(a.kind, b.kind))
	})
	return all
}

func (d *watchDecoding) hear(s *stream, w history.Watch) {
	if w.Panic != nil { // rule-3 reports it, and nothing more is owed
		d.Facts++
		s.ended = true
		return
	}
	switch w.Event {
	case history.WatchOpened:
		if !s.opened { // otherwise it continues after its server had ended it
			s.opened, s.from, s.last = true, w.Revision, w.Revision
		}
		return
	case history.WatchError:
		s.ended = true
		d.watchError(s, w)
		return
	case history.WatchClosed:
		s.closed = w.Revision
		return
	case history.WatchAdded, history.WatchModified, history.WatchDeleted:
		s.seen[sent{w.Copy, w.Revision, w.Event == history.WatchDeleted}] = true
	}
	if w.Revision < s.last && s.disorder == 0 && w.Event != history.WatchBookmark {
		s.disorder = w.Revision
	}
	s.last = max(s.last, w.Revision)
}

// watchError reports an error event. 410 says that the watch is too old to continue: its client
// lists again, nothing is broken, and nothing more is owed.
func (d *watchDecoding) watchError(s *stream, w history.Watch) {
	if w.Code == http.StatusGone || d.isWithdrawn(s, w) {
		return
	}
	if blame.MayBeInterrupted(d.ev, history.Exchange{Code: w.Code}) || d.isRedefined(s, w) { // by the end of the run itself, or by a roll-out
		d.Indeterminate++
		return
	}
	d.Facts++
	f := aboutKind(d.ev, s.kind, s.step, s.replica, s.role)
	f.Outcome = trace.Answer(asWatched(w)).Ending().OfRead()
	if !s.opened {
		d.watchRefused(s, w, f)
		return
	}
	next := d.next(s, &f)
	f.Cause = cmp.Or(trace.ProgramCause(asWatched(w)), f.Cause)
	if next != "" && !d.said.First("watch", s.role, s.apiVersion, s.kind, w.Code, next) {
		return
	}
	f.Message = fmt.Sprintf("%s: the WATCH through %s (%s), opened in step %d (%s), ended with the error %s after revision %d;%s %s",
		s.kind, s.replica, f.Release, s.step, d.ev.Steps[s.step].Stage, eventText(d.ev, s.kind, w), s.last, next, meant(f))
	d.find(f)
}

// next says which change a watch that ended with an error had to send next, and attributes the
// finding to it: the first that its release cannot read, if there is one.
func (d *watchDecoding) next(s *stream, f *result.Finding) string {
	changes := d.owedTo(s)
	i := after(changes, s.last)
	if b := d.blocker(s); b != nil {
		f.Cause, f.Step = b.cause, max(f.Step, b.since)
		changes, i = []owed{b.owed}, 0
	} else if i < len(changes) {
		f.Cause, f.Step = trace.UnreadCause(d.ev, s.role, changes[i].v.Change), max(f.Step, changes[i].step)
	}
	if i >= len(changes) {
		return ""
	}
	f.Stage = d.ev.Steps[f.Step].Stage
	return fmt.Sprintf(" the next change is that of %s at revision %d;", changes[i].l.Copy.Name, changes[i].v.Change.Revision)
}

// watchRefused reports a watch that could not be opened: once for the values that the release is
// known not to read, as for a LIST.
func (d *watchDecoding) watchRefused(s *stream, w history.Watch, f result.Finding) {
	held := d.held(s.apiVersion, s.kind, s.role, s.step)
	if held.some() && !d.said.First("watch", s.role, s.apiVersion, s.kind, w.Code, held.copies) {
		return
	}
	f.Cause = cmp.Or(trace.ProgramCause(asWatched(w)), held.cause) // a cache is filled again some time after a program is back
	f.Message = fmt.Sprintf("%s: the WATCH through %s (%s) of step %d (%s) could not be opened: %s%s; %s",
		s.kind, s.replica, f.Release, s.step, f.Stage, eventText(d.ev, s.kind, w), holdsThese(held.copies), meant(f))
	d.find(f)
}

// eventText returns an error event in words.
func eventText(ev *trace.Evidence, kind string, w history.Watch) string {
	return blame.AnswerText(ev, kind, asWatched(w))
}

// asWatched returns an error event as the answer to a request.
func asWatched(w history.Watch) history.Exchange {
	x := history.Exchange{Code: w.Code, Reason: w.Reason, Message: w.Message}
	if w.Code == 0 {
		x.Error = w.Message
	}
	return x
}

// after returns the index of the first change after a revision.
func after(changes []owed, revision int64) int {
	i, _ := slices.BinarySearchFunc(changes, revision+1, func(o owed, at int64) int { return cmp.Compare(o.v.Change.Revision, at) })
	return i
}

// watch judges one stream. A cache may be older than the watch that it feeds: it then owes what
// was stored before that watch was opened, and stalls there.
func (d *watchDecoding) watch(s *stream, changes []owed) {
	if !s.ended {
		if b := d.blocker(s); b != nil {
			s.ended = true
			d.stalled(s, b)
		}
	}
	late := 0
	for _, o := range changes[after(changes, s.from):] {
		c := o.v.Change
		switch {
		case s.seen[sent{o.l.Copy.Name, c.Revision, c.Deleted}]:
			d.Facts++
		case c.Revision <= s.last:
			d.Facts++
			d.skipped(s, o)
		case !s.ended && d.late(s, o):
			late++
		}
	}
	if late > 0 {
		d.Indeterminate += late
		d.Reason = fmt.Sprintf("the WATCH of %s through %s, opened in step %d, was closed before it had sent all changes", s.kind, s.replica, s.step)
	}
	if s.disorder > 0 {
		f := aboutKind(d.ev, s.kind, s.step, s.replica, s.role)
		f.Outcome = term.Changed
		f.Message = fmt.Sprintf("%s: the WATCH through %s (%s), opened in step %d (%s), sent revision %d after a newer one: an informer takes the older object for what is stored",
			s.kind, s.replica, f.Release, s.step, f.Stage, s.disorder)
		d.find(f)
	}
}

// closing returns the step that stopped the watch's server, or the number after the last step.
func (d *watchDecoding) closing(s *stream) int {
	all := d.leaving[s.replica]
	i, _ := slices.BinarySearch(all, s.step)
	if i < len(all) {
		return all[i]
	}
	return len(d.ev.Steps) + 1
}

// leavings returns, by replica, the steps in which its server is stopped, in order.
func leavings(ev *trace.Evidence) map[string][]int {
	all := map[string][]int{}
	for number, at := range ev.Steps {
		switch at.Step.Action {
		case plan.Replace:
			all[at.Step.Replica] = append(all[at.Step.Replica], number)
		case plan.Stop:
			for _, replica := range ev.History.Header.Plan.Replicas {
				if at.Step.Replica == "" || at.Step.Replica == replica {
					all[replica] = append(all[replica], number)
				}
			}
		}
	}
	for _, steps := range all {
		slices.Sort(steps)
	}
	return all
}

func (d *watchDecoding) skipped(s *stream, o owed) {
	c := o.v.Change
	f := blame.NewCollector(d.ev, o.l, term.CheckEverythingDecodes, cmp.Or(o.step, s.step))
	f.Rule, f.Class, f.Outcome = term.RuleStorage, term.Violation, term.Lost
	f.Replica, f.Via, f.Release = s.replica, s.role, d.ev.History.Releases[s.role].Version
	what := "revision"
	if c.Deleted {
		what = "its deletion, revision"
	}
	f.Message = fmt.Sprintf("%s %s: the WATCH through %s (%s), opened in step %d (%s) at revision %d, does not send %s %d, and sends revision %d: an informer misses it",
		f.Kind, f.Copy, s.replica, f.Release, s.step, d.ev.Steps[s.step].Stage, s.from, what, c.Revision, s.last)
	d.find(f)
}
