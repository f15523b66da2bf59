package checks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// StaysWritable judges that every object can still be written after each roll-out, through each
// replica, by dry runs that change nothing. Its facts are the dry runs, for each copy that they
// represent. An object that could not be written before the upgrade is not judged.
func StaysWritable(ev *trace.Evidence) blame.Judged {
	w := &writability{ev: ev, never: trace.NeverWritable(ev), told: map[string]bool{}}
	for _, op := range ev.Calls.Tries {
		if op.Attempt != term.DeleteAttempt && ev.Steps[op.Step].StageIndex > 0 {
			w.try(op)
		}
	}
	for _, f := range w.frozen {
		w.Findings = append(w.Findings, isFrozen(ev, f))
	}
	return w.Judged
}

// writability holds the state of the check.
type writability struct {
	blame.Judged
	ev     *trace.Evidence
	never  trace.RefusedTries
	frozen []*frozen
	told   map[string]bool // by copy and release: reported, at the step where it was first found frozen
}

// frozen are the dry runs of one copy that a release refused in one step.
type frozen struct {
	l     *trace.Timeline
	alike []string // the other copies that the dry runs represent
	tries []history.Operation
}

func (w *writability) try(op history.Operation) {
	due := w.never.TriedCopies(w.ev, op)
	switch {
	case len(due) == 0:
	case op.Exchange.Succeeded(), op.Exchange.Panic != nil: // rule-3 reports a panic
		w.Facts += len(due)
	case blame.MayBeInterrupted(w.ev, op.Exchange):
		w.Indeterminate++
	case !trace.IsRefusal(op.Exchange):
		w.Indeterminate, w.Reason = w.Indeterminate+1, "a dry run conflicted with another write of the object, or its server was busy"
	default:
		w.Facts += len(due)
		for _, part := range w.bySort(op, due) {
			w.freeze(op, part)
		}
	}
}

// bySort groups copies by object and role: a dry run may represent copies of several, and a
// finding is about those of one.
func (w *writability) bySort(op history.Operation, names []string) [][]string {
	var parts [][]string
	known := map[string]int{}
	for _, name := range names {
		tl := cmp.Or(w.ev.ByCopy[name], w.ev.ByCopy[op.Copy]) // a damaged history may name any copy
		key := fmt.Sprint(tl.Copy.Object, " ", tl.Copy.Role)
		i, found := known[key]
		if !found {
			i = len(parts)
			known[key], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], name)
	}
	return parts
}

// freeze records a dry run that was refused. A copy is reported once for each release, where it
// was first found frozen, with all that was refused there.
func (w *writability) freeze(op history.Operation, due []string) {
	for _, f := range w.frozen {
		if first := f.tries[0]; first.Step == op.Step && first.Role == op.Role && slices.Contains(due, f.l.Copy.Name) {
			f.tries = append(f.tries, op)
			return
		}
	}
	due = slices.DeleteFunc(due, func(name string) bool { return w.told[fmt.Sprint(name, " ", op.Role)] })
	if len(due) == 0 {
		return
	}
	for _, name := range due {
		w.told[fmt.Sprint(name, " ", op.Role)] = true
	}
	w.frozen = append(w.frozen, &frozen{l: trace.Tried(w.ev, op, due), alike: due[1:], tries: []history.Operation{op}})
}

func isFrozen(ev *trace.Evidence, z *frozen) result.Finding {
	first := z.tries[0]
	f := blame.NewCollector(ev, z.l, term.CheckStaysWritable, first.Step)
	f.Outcome = term.Frozen
	f.Class, f.Rule = ruling.Writable(first.Role, trace.UsesChangeAt(ev.Calls, z.l, first.Step))
	f.Replica, f.Via, f.Release = first.Replica, first.Role, ev.History.Releases[first.Role].Version
	if f.Cause = cmp.Or(trace.ProgramCause(first.Exchange), blame.UnreadBefore(ev, z.l, first)); f.Cause == term.Unattributed {
		f.Cause = blame.WhyInvalid(ev, z.l, first)
	}
	for _, op := range z.tries {
		f.StatusCauses = append(f.StatusCauses, blame.StatusCauses(ev, z.l, op.Exchange)...)
	}
	f.StatusCauses = distinct(f.StatusCauses)
	f.Message = fmt.Sprintf("%s %s%s: %s (%s), tried in step %d (%s) by %s%s, was answered %s%s; %s under %s",
		f.Kind, f.Copy, blame.OthersText(z.alike), refusedTries(z.tries), f.Release, first.Step, f.Stage, cmp.Or(first.Client, term.Dynamic), blame.ValidationText(first.Exchange),
		refusedWith(ev, f.Kind, z.tries), blame.RefusedSince(f.Cause), f.Class, f.Rule)
	return f
}

// distinct returns each error once, in the order in which it was first listed.
func distinct(all []result.StatusCause) (once []result.StatusCause) {
	for _, c := range all {
		if !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	return once
}

// refusedTries lists the dry runs: what was tried, and through which replicas.
func refusedTries(tries []history.Operation) string {
	through := map[string][]string{}
	for _, op := range tries {
		what := term.Attempts().Meaning(op.Attempt)
		if !slices.Contains(through[what], op.Replica) {
			through[what] = append(through[what], op.Replica)
		}
	}
	var all []string
	for _, what := range slices.Sorted(maps.Keys(through)) {
		all = append(all, what+" through "+strings.Join(through[what], " and "))
	}
	return strings.Join(all, "; ")
}

// refusedWith lists the different answers to the dry runs.
func refusedWith(ev *trace.Evidence, kind string, tries []history.Operation) string {
	var all []string
	for _, op := range tries {
		if text := blame.AnswerText(ev, kind, op.Exchange); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; or ")
}
