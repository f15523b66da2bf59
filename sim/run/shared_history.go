package run

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// each calls do for every run, whether or not it is under way.
func (sh *shared) each(do func(*member)) {
	for _, w := range sh.members {
		do(w)
	}
}

// note reports an event to every run that belongs to no step.
func (sh *shared) note(text string) {
	sh.each(func(w *member) { w.config.Progress.Note(text) })
}

// Tell records a server event in every history, under the step number of that run's own
// plan. A history that cannot be written ends its run only.
func (sh *shared) Tell(told history.Server) {
	for _, w := range sh.present() {
		w.tell(sh.numbered(w, told.Step), told)
	}
}

// TellReady records that a server is ready and, for each run, which of the run's own kinds
// it cannot read: those of another run are no finding of its own.
func (sh *shared) TellReady(told history.Server, p servers.Process) {
	for _, w := range sh.present() {
		mine := told
		lack := servers.LackOf(p, w.known.Owned(told.Role))
		mine.Lacks, mine.Settles, mine.Shared = lack.String(), lack.Settles, !sh.alone()
		w.tell(sh.numbered(w, told.Step), mine)
	}
}

// tell records a server event under a step of the run's own plan.
func (m *member) tell(step int, told history.Server) {
	told.Step = step
	if err := m.recorder.Record(history.Record{Server: &told}); err != nil {
		m.cancel(err)
	}
}

// numbered returns the number that a step of the leading run has in another run's plan; 0
// is no step, and stays 0.
func (sh *shared) numbered(w *member, led int) int {
	i := slices.IndexFunc(sh.first.turns, func(s plan.Step) bool { return s.Number == led })
	if i < 0 || i >= len(w.turns) {
		return led
	}
	return w.turns[i].Number
}

// changed records a change of the store: of a run's object in its history, of any other
// object, which servers write for themselves, in all histories.
func (sh *shared) changed(change stores.Change) {
	owner := slices.IndexFunc(sh.members, func(w *member) bool { return !sh.alone() && w.known.Owns(change.Key) })
	for _, w := range sh.present() {
		if owner >= 0 && sh.members[owner] != w {
			continue
		}
		if err := fault.Guard(func() error { return w.recorder.RecordChange(change) }); err != nil {
			w.cancel(err)
		}
	}
}

// others reports whether a cluster-scoped object belongs to another run.
func others(all []*member, own *member, object string) bool {
	return slices.ContainsFunc(all, func(other *member) bool {
		_, is := other.known.CopyOf(object, false)
		return other != own && is
	})
}

// LongestList returns how many bytes a LIST may have that shows the objects of all runs.
func (sh *shared) LongestList() (sum int64) {
	sh.each(func(w *member) { sum += observe.Longest(w.known.Plan) })
	return sum
}

// Collections returns the collections of all plans' kinds, in all namespaces: a release's
// server that does not get ready is asked for them.
func (sh *shared) Collections(role term.Role) (paths []string) {
	for _, m := range sh.members {
		paths = append(paths, m.known.Owned(role)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Leave returns when no run watches through the replica any more.
func (sh *shared) Leave(r *fleet.Replica) {
	sh.each(func(m *member) { m.watches.Leave(r) })
}

// CloseWatches ends every watch of every run.
func (sh *shared) CloseWatches() {
	sh.each(func(m *member) { m.watches.Close() })
}

// End ends every run.
func (sh *shared) End(err error) { sh.end(err) }
