package checks

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// A start is slow if it takes ten times as long as the run's first, and more than half a minute:
// a server over values that it cannot read waits for caches that never fill. The floor ignores
// the effect of a busy machine on short starts.
const (
	slowTimes = 10
	slowFloor = 30 // seconds
)

// startDecoding judges how servers start over what is stored.
type startDecoding struct{ *decoding }

// usualStart returns the median of the times that the first stage's servers took: they started
// over an empty store, so stored objects slowed none of them. It returns 0 if none is known.
func usualStart(ev *trace.Evidence) float64 {
	var all []float64
	for _, s := range ev.History.Servers {
		if s.Event == history.Ready && ev.Steps[s.Step].StageIndex == 0 {
			all = append(all, took(s))
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[(len(all)-1)/2]
}

// took returns how long a server took after it was let in to its store.
func took(s history.Server) float64 { return s.Seconds - s.Held }

// begun is one start of a server over what was stored by then.
type begun struct {
	role  term.Role
	step  int
	who   string // the server, in words
	lacks string // what it does not read of the stored objects, although it counts as ready
	// settles reports that it becomes ready a minute later all the same.
	settles bool
	slow    string // how long it took, if that is slow; "" if not
}

// degraded reports a server that starts over values which its release does not read: it does not
// become ready, or only after a while. Which server notices, and how, depends on the load of the
// machine, so it is reported once for a release, as a finding about the first roll-out that
// starts its servers over such values. It returns false if nothing stored explains it.
func (d *startDecoding) degraded(b begun, f result.Finding) bool {
	met := d.heldAt(b.role, b.step)
	if b.lacks == "" && !met.some() {
		return false
	}
	if !d.said.First("degraded", b.role) {
		return true
	}
	f.Outcome, f.Cause = term.Undecodable, met.cause
	if !met.some() {
		f.Cause = d.causeOfAll(b.role)
	} else if first := startsOver(d.ev, b.role, met.since); first > 0 {
		f.Step, f.Stage = first, d.ev.Steps[first].Stage
	}
	what := b.late() + metText(d.ev, met) + b.unawaited()
	f.Message = fmt.Sprintf("%s (%s) %s; %s", b.who, d.ev.Steps[b.step].Stage, what, meant(f))
	d.find(f)
	return true
}

// late says how the server is late.
func (b begun) late() string {
	switch {
	case b.lacks == "":
		return b.slow
	case b.settles:
		return "is ready only after a minute, in which it waits for what it cannot list: " + b.lacks
	}
	return "does not become ready: " + b.lacks
}

// unawaited says what the run did about a server that was not ready.
func (b begun) unawaited() string {
	switch {
	case b.lacks == "":
		return ""
	case b.settles:
		return "; the run did not wait for that"
	}
	return "; the run stopped waiting and went on with the server as it is, where a roll-out that waits for readiness would stop"
}

// metText says what a release meets in the store and cannot read, and since when.
func metText(ev *trace.Evidence, met held) string {
	text := holdsThese(met.copies)
	if met.since > 0 {
		text += fmt.Sprintf(", stored from step %d (%s) on", met.since, ev.Steps[met.since].Stage)
	}
	return text
}

// causeOfAll returns why a release does not read values, of any kind, if all have one cause.
func (d *startDecoding) causeOfAll(role term.Role) term.Cause {
	var values []string
	for value := range d.ev.Unread[role] {
		values = append(values, value)
	}
	slices.Sort(values)
	return d.ev.Unread.Cause(role, values)
}

func (d *startDecoding) tryStart(t history.Trial, usual float64) {
	ready := t.Error == "" && (t.Code == 0 || t.Code == http.StatusOK)
	if ready && t.Lacks == "" && d.unpaced(t.Seconds, usual) {
		return
	}
	d.Facts++
	late := ready && slow(t.Seconds, usual)
	if ready && !late && t.Lacks == "" {
		return
	}
	f := aboutKind(d.ev, "", t.Step, "", t.Role)
	did := fmt.Sprintf("was not ready after %.1f s: %s", t.Seconds, cmp.Or(t.Error, t.Message, "nothing says why"))
	if ready {
		did = slowText(t.Seconds, usual)
	}
	over := fmt.Sprintf("a server of %s that started in step %d over %d recorded values", f.Release, t.Step, t.Values)
	if ready && d.degraded(begun{t.Role, t.Step, over, t.Lacks, t.Settles, did}, f) || d.anothers(t.Shared) {
		return
	}
	f.Outcome = term.Failed
	f.Message = fmt.Sprintf("a server of %s that started in step %d (%s) over %d recorded values %s; %s",
		f.Release, t.Step, f.Stage, t.Values, did, meant(f))
	d.find(f)
}

func slowText(seconds, usual float64) string {
	return fmt.Sprintf("was ready after %.1f s only, where the run's first servers took %.1f s", seconds, usual)
}

// unpaced reports whether it is unknown if a start was slow: it took long, and no other start can
// be compared.
func (d *startDecoding) unpaced(seconds, usual float64) bool {
	if usual > 0 || seconds <= slowFloor {
		return false
	}
	d.addIndeterminate("the record lacks the start times of the first servers, so slow starts are not known")
	return true
}

func slow(seconds, usual float64) bool {
	return usual > 0 && seconds > slowTimes*usual && seconds > slowFloor
}

// anothers reports whether objects of another run may be why a server was slow, or did not start.
// Only the run alone can show that.
func (d *startDecoding) anothers(shared bool) bool {
	if shared {
		d.Facts-- // it was not judged
		d.addIndeterminate("a server that several runs share was slow, or did not start, and whose objects caused it is not known: run with --isolate")
	}
	return shared
}

// starts judges how long the run's own servers took, each started over what was stored by then,
// compared with those of the first stage. They are judged in the order of their steps: several
// start at once, and which is ready first is chance.
func (d *startDecoding) starts() {
	usual := usualStart(d.ev)
	all := slices.Clone(d.ev.History.Servers)
	slices.SortStableFunc(all, func(a, b history.Server) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Replica, b.Replica))
	})
	for _, s := range all {
		if s.Event == history.Ready && d.ev.Steps[s.Step].StageIndex > 0 { // the first start over an empty store
			d.start(s, usual)
		}
	}
}

func (d *startDecoding) start(s history.Server, usual float64) {
	if s.Lacks == "" && d.unpaced(took(s), usual) {
		return
	}
	d.Facts++
	if s.Lacks == "" && !slow(took(s), usual) {
		return
	}
	f := aboutKind(d.ev, "", s.Step, s.Replica, s.Role)
	f.Release = s.Version
	who := fmt.Sprintf("the server of %s (%s) that started in step %d", s.Replica, s.Version, s.Step)
	if d.degraded(begun{s.Role, s.Step, who, s.Lacks, s.Settles, slowText(took(s), usual)}, f) || d.anothers(s.Shared) {
		return
	}
	f.Outcome = term.Failed
	f.Message = fmt.Sprintf("%s (%s) %s; %s", who, f.Stage, slowText(took(s), usual), meant(f))
	d.find(f)
}
