package run

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// each calls do for every run, whether it is under way or not.
func (c *convoy) each(do func(*walker)) {
	for _, w := range c.members {
		do(w)
	}
}

// note tells everybody of something beside the steps.
func (c *convoy) note(text string) {
	c.each(func(w *walker) { w.config.Progress.Note(text) })
}

// tell records in every history what became of a server: under the step that it is
// in that run's own plan. A history that cannot be written ends its run alone.
func (c *convoy) tell(told history.Server) {
	for _, w := range c.present() {
		c.tellOne(w, told)
	}
}

// tellReady records that a server is ready, and to each run what it does not read of the
// run's own kinds: those of another are no finding of its.
func (c *convoy) tellReady(told history.Server, p servers.Process) {
	for _, w := range c.present() {
		mine := told
		mine.Lacks, mine.Shared = lacks(p, w.owned(told.Role)), !c.alone()
		c.tellOne(w, mine)
	}
}

func (c *convoy) tellOne(w *walker, mine history.Server) {
	mine.Step = c.numbered(w, mine.Step)
	if err := w.record(history.Record{Server: &mine}); err != nil {
		w.cancel(err)
	}
}

// numbered is the number that a step of the leading run has in another's plan; 0 is
// no step, and stays so.
func (c *convoy) numbered(w *walker, led int) int {
	i := slices.IndexFunc(c.lead.turns, func(s plan.Step) bool { return s.Number == led })
	if i < 0 || i >= len(w.turns) {
		return led
	}
	return w.turns[i].Number
}

// changed records a change of the store: of what a run has made in its history, of
// anything else, which servers write for themselves, in all.
func (c *convoy) changed(change StoreChange) {
	owner := slices.IndexFunc(c.members, func(w *walker) bool { return !c.alone() && w.owns(change.Key) })
	for _, w := range c.present() {
		if owner >= 0 && c.members[owner] != w {
			continue
		}
		if err := guarded(func() error { return w.recordChange(change) }); err != nil {
			w.cancel(err)
		}
	}
}

// owns tells whether a key is that of the run's namespace, of something in it, or of
// one of the run's objects in none. However keys are laid out, an object's
// namespace and name are parts of its own.
func (w *walker) owns(key string) bool {
	parts := strings.Split(key, "/")
	if slices.Contains(parts, w.config.Plan.Namespace) {
		return true
	}
	_, own := w.copyOf(parts[len(parts)-1], false)
	return own
}

// others tells whether an object, which lies in no namespace, is another run's.
func (c *convoy) others(w *walker, object string) bool {
	return slices.ContainsFunc(c.members, func(other *walker) bool {
		_, is := other.copyOf(object, false)
		return other != w && is
	})
}

// longestOfAll is how long a LIST may have to be that shows what all runs have made.
func (c *convoy) longestOfAll() (sum int64) {
	c.each(func(w *walker) { sum += w.longest() })
	return sum
}
