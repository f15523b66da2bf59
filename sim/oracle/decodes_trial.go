package oracle

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// A start is slow when it takes ten times as long as the run's first, and more
// than half a minute: one over values that cannot be read waits for caches that
// never fill. The floor leaves out what a busy machine does to short starts.
const (
	slowTimes = 10
	slowFloor = 30 // seconds
)

// trials judges what servers of each release made of recorded values, on
// scratch stores. GETs go first: they tell which values the others met.
func (d *decoding) trials() {
	all := slices.Clone(d.e.history.Trials)
	rank := []history.TrialKind{history.TrialGet, history.TrialList, history.TrialWatch, history.TrialStart}
	slices.SortStableFunc(all, func(a, b history.Trial) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.Trial), slices.Index(rank, b.Trial)), cmp.Compare(a.Step, b.Step),
			cmp.Compare(a.Role, b.Role), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Form, b.Form))
	})
	changes, usual := d.e.changes(), d.e.usualStart()
	for _, t := range all {
		switch {
		case d.e.cutOff(t):
			d.untold++
		case t.Trial == history.TrialGet:
			d.tryGet(t, changes[t.Revision])
		case t.Trial == history.TrialStart:
			d.tryStart(t, usual)
		default:
			d.tryList(t)
		}
	}
}

// usualStart is the median of the times that the first stage's servers took: they
// started over nothing, so that what is stored slowed none of them. 0: none is
// known.
func (e *evidence) usualStart() float64 {
	var all []float64
	for _, s := range e.history.Servers {
		if s.Event == history.Ready && e.steps[s.Step].index == 0 {
			all = append(all, took(s))
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[(len(all)-1)/2]
}

// took is how long a server took once it was let at its store.
func took(s history.Server) float64 { return s.Seconds - s.Held }

// asked is a trial's answer as that of a request.
func asked(t history.Trial) history.Exchange {
	return history.Exchange{Code: t.Code, Reason: t.Reason, Message: t.Message, Error: t.Error}
}

func (d *decoding) tryGet(t history.Trial, c history.Change) {
	e, l := d.e, d.e.calls.lives[t.Copy]
	if l == nil {
		return
	}
	d.facts++
	if t.Code == http.StatusOK && t.Error == "" {
		return
	}
	step, value := e.valueTried(l, t)
	f := e.unread(l, step, "", t.Role, asked(t))
	if f.State == term.Undecodable {
		f.Cause = e.unreadCause(t.Role, c)
		if !d.once("value", t.Role, value) {
			return
		}
	}
	f.Message = fmt.Sprintf("%s %s: what step %d (%s: %s) stored, as %s of %s at revision %d, %s cannot read: GET on a scratch store that holds it, tried in step %d, was answered %s; %s",
		f.Kind, f.Copy, f.Step, f.Stage, e.made(f.Step), orUnknown(c.Encoding), orUnknown(c.APIVersion), t.Revision, f.Release, t.Step, d.e.answerText(f.Kind, asked(t)), meant(f))
	d.find(f)
}

func orUnknown(word string) string { return cmp.Or(word, "what cannot be told") }

// tryList judges a LIST or a WATCH over recorded values.
func (d *decoding) tryList(t history.Trial) {
	if t.GaveUp {
		d.lackUntold("on a scratch store, what a LIST or a WATCH had not shown yet was waited for no longer")
		return
	}
	d.facts++
	how := "LIST" + formText(t.Form)
	if t.Trial == history.TrialWatch {
		how = "WATCH"
	}
	if t.Code != http.StatusOK || t.Error != "" {
		d.trialRefused(t, how)
		return
	}
	for _, name := range t.Missing {
		l := d.e.calls.lives[name]
		if l == nil || !d.once("left out", t.Role, d.e.valueAt(l, t.Step)) {
			continue
		}
		f := d.e.unread(l, t.Step, "", t.Role, history.Exchange{Code: http.StatusNotFound})
		f.Message = fmt.Sprintf("%s %s: %s by %s, on a scratch store that holds it, does not show it in step %d (%s); %s",
			f.Kind, f.Copy, how, f.Release, t.Step, f.Stage, meant(f))
		d.find(f)
	}
}

func (d *decoding) trialRefused(t history.Trial, how string) {
	held, cause := d.unreadOf(t)
	if len(held) > 0 && !d.once("trial", how, t.Role, t.APIVersion, t.Kind, held) {
		return
	}
	f := d.e.aboutKind(t.Kind, t.Step, "", t.Role)
	f.State, f.Cause = outcomeOfAnswer(asked(t)).readState(), cause
	f.Message = fmt.Sprintf("%s: %s by %s, on a scratch store of %d values, in step %d (%s) was answered %s%s; %s",
		t.Kind, how, f.Release, t.Values, t.Step, f.Stage, d.e.answerText(t.Kind, asked(t)), holdsThese(held), meant(f))
	d.find(f)
}

// unreadOf are the copies of the trial's kind of which the release was seen not
// to read some value, and why it did not.
func (d *decoding) unreadOf(t history.Trial) ([]string, term.Cause) {
	var copies, values []string
	for _, l := range d.kinds[kindOf(t.APIVersion, t.Kind)] {
		for _, step := range l.acts {
			if value := d.e.valueAt(l, step); d.e.calls.unread.has(t.Role, value) {
				copies, values = append(copies, l.copy.Name), append(values, value)
				break
			}
		}
	}
	return copies, d.e.calls.unread.cause(t.Role, values)
}

func holdsThese(copies []string) string {
	if len(copies) == 0 {
		return ""
	}
	return fmt.Sprintf(": it holds %s, which this release cannot read", names(copies))
}

func (d *decoding) tryStart(t history.Trial, usual float64) {
	ready := t.Error == "" && (t.Code == 0 || t.Code == http.StatusOK)
	if ready && d.unpaced(t.Seconds, usual) {
		return
	}
	d.facts++
	if d.limps(t.Lacks, fmt.Sprintf("a server of %s that started in step %d over %d recorded values", d.e.history.Releases[t.Role].Version, t.Step, t.Values), d.e.aboutKind("", t.Step, "", t.Role)) ||
		ready && !slow(t.Seconds, usual) {
		return
	}
	if d.anothers(t.Shared) {
		return
	}
	f := d.e.aboutKind("", t.Step, "", t.Role)
	f.State = term.Failed
	did := fmt.Sprintf("was not ready after %.1f s: %s", t.Seconds, cmp.Or(t.Error, t.Message, "nothing says why"))
	if ready {
		did = fmt.Sprintf("was ready after %.1f s only, where the run's first servers took %.1f s", t.Seconds, usual)
	}
	f.Message = fmt.Sprintf("a server of %s that started in step %d (%s) over %d recorded values %s; %s",
		f.Release, t.Step, f.Stage, t.Values, did, meant(f))
	d.find(f)
}

// unpaced tells that nothing says whether a start was slow: it took long, and
// there is none to hold it against.
func (d *decoding) unpaced(seconds, usual float64) bool {
	if usual > 0 || seconds <= slowFloor {
		return false
	}
	d.lackUntold("the record lacks how long the first servers took to start, and so what is slow")
	return true
}

func slow(seconds, usual float64) bool {
	return usual > 0 && seconds > slowTimes*usual && seconds > slowFloor
}

// anothers tells that what is stored for another run may be why a server was slow, or
// did not start: played alone, the run tells.
func (d *decoding) anothers(shared bool) bool {
	if shared {
		d.facts-- // it is none that was judged
		d.lackUntold("a server that several runs share was slow, or did not start, and nothing tells over whose objects: --isolate does")
	}
	return shared
}

// starts judges how long the run's own servers took, each started over what was
// stored by then, against those of the first stage.
func (d *decoding) starts() {
	usual := d.e.usualStart()
	for _, s := range d.e.history.Servers {
		if s.Event != history.Ready || d.e.steps[s.Step].index == 0 { // over nothing, at first
			continue
		}
		if d.unpaced(took(s), usual) {
			continue
		}
		d.facts++
		if d.limps(s.Lacks, fmt.Sprintf("the server of %s (%s) that started in step %d", s.Replica, s.Version, s.Step), d.e.aboutKind("", s.Step, s.Replica, s.Role)) ||
			!slow(took(s), usual) {
			continue
		}
		if d.anothers(s.Shared) {
			continue
		}
		f := d.e.aboutKind("", s.Step, s.Replica, s.Role)
		f.State, f.Release = term.Failed, s.Version
		f.Message = fmt.Sprintf("the server of %s (%s) that started in step %d (%s) was ready after %.1f s only, where the run's first servers took %.1f s; %s",
			s.Replica, s.Version, s.Step, f.Stage, took(s), usual, meant(f))
		d.find(f)
	}
}
