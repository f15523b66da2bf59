package calls

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// StaysWritable judges that every object can still be written after each
// roll-out, through each replica: by dry runs, so that nothing comes of it. Its
// facts are the tries, for each copy that they speak for. What could not be
// written before the upgrade is not held against it.
func StaysWritable(tr *trace.Trace) finding.Judged {
	w := &Writability{E: tr, Never: NeverWritable(tr), told: map[string]bool{}}
	for _, op := range tr.Calls.Tries {
		if op.Attempt != term.DeleteAttempt && tr.Steps[op.Step].Index > 0 {
			w.try(op)
		}
	}
	for _, f := range w.frozen {
		w.Findings = append(w.Findings, isFrozen(tr, f))
	}
	return w.Judged
}

// Writability is the check at work.
type Writability struct {
	finding.Judged
	E      *trace.Trace
	Never  never
	frozen []*frozen
	told   map[string]bool // by copy and release: at the step where it was found frozen first
}

// frozen are the tries of one copy that a release refused at one step.
type frozen struct {
	l     *trace.Timeline
	alike []string // the other copies that the tries speak for
	tries []history.Operation
}

func (w *Writability) try(op history.Operation) {
	due := w.Due(op)
	switch {
	case len(due) == 0:
	case op.Exchange.Succeeded(), op.Exchange.Panic != nil: // rule-3 tells of a panic
		w.Facts += len(due)
	case finding.Interrupted(w.E, op.Exchange):
		w.Untold++
	case !trace.Refuses(op.Exchange):
		w.Untold, w.Reason = w.Untold+1, "a try met another write of the object, or found its server busy"
	default:
		w.Facts += len(due)
		for _, part := range w.bySort(op, due) {
			w.freeze(op, part)
		}
	}
}

// bySort parts copies by what they are there for: a try may speak for copies of
// several objects and roles, and a finding is about those of one.
func (w *Writability) bySort(op history.Operation, names []string) [][]string {
	var parts [][]string
	known := map[string]int{}
	for _, name := range names {
		tl := cmp.Or(w.E.Calls.Lives[name], w.E.Calls.Lives[op.Copy]) // a damaged history may name any
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

// Due are the copies that a try speaks for, of those that are there and could
// be written before the upgrade: its own first, if it is one.
func (w *Writability) Due(op history.Operation) []string {
	return slices.DeleteFunc(append([]string{op.Copy}, op.For...), func(name string) bool {
		tl := w.E.Calls.Lives[name]
		if tl == nil {
			return name == op.Copy // a damaged history may name any
		}
		return !Stored(w.E, tl, op.Step) || mayNotBeTried(w.E, tl, op) || !op.Exchange.Succeeded() && w.Never.has(tl, op)
	})
}

// mayNotBeTried tells whether the try asks for what no server does: an object
// that is on its way out takes no new finalizer.
func mayNotBeTried(tr *trace.Trace, tl *trace.Timeline, op history.Operation) bool {
	return op.Attempt == term.FinalizerAttempt && tr.Leaving(tl, op.Step)
}

// freeze keeps a try that was refused. A copy is told of once for each release,
// where it was found frozen first, with all that was refused there.
func (w *Writability) freeze(op history.Operation, due []string) {
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
	w.frozen = append(w.frozen, &frozen{l: Tried(w.E, op, due), alike: due[1:], tries: []history.Operation{op}})
}

// Tried is the copy that a finding about a try names.
func Tried(tr *trace.Trace, op history.Operation, due []string) *trace.Timeline {
	if tl := tr.Calls.Lives[due[0]]; tl != nil {
		return tl
	}
	return tr.Calls.Lives[op.Copy] // a damaged history may name any other
}

// never are the tries that were refused in the first stage already: of the
// copies that were tried then, and what was answered to any of a manifest.
type never struct {
	tried, written map[string]bool // by copy and attempt
	refused        map[string]bool // by manifest, attempt and code
}

// NeverWritable are the tries that the first stage's server refused. A copy
// that was there is held against itself alone; what came later, against what
// its like was answered.
func NeverWritable(tr *trace.Trace) never {
	n := never{tried: map[string]bool{}, written: map[string]bool{}, refused: map[string]bool{}}
	for _, op := range tr.Calls.Tries {
		if tr.Steps[op.Step].Index > 0 {
			continue
		}
		for _, name := range append([]string{op.Copy}, op.For...) {
			tl := tr.Calls.Lives[name]
			if tl == nil || !Stored(tr, tl, op.Step) || mayNotBeTried(tr, tl, op) {
				continue
			}
			refused := trace.Refuses(op.Exchange) || op.Exchange.Panic != nil
			n.tried[tryOf(name, op)] = n.tried[tryOf(name, op)] || refused
			n.written[tryOf(name, op)] = n.written[tryOf(name, op)] || op.Exchange.Succeeded()
			if refused {
				n.refused[answerTo(tl, op)] = true
			}
		}
	}
	return n
}

// has tells whether a try was refused before the upgrade: of the copy itself
// by every server, or of its like with the same code.
func (n never) has(tl *trace.Timeline, op history.Operation) bool {
	if refused, tried := n.tried[tryOf(tl.Copy.Name, op)]; tried {
		return refused && !n.written[tryOf(tl.Copy.Name, op)]
	}
	return n.refused[answerTo(tl, op)]
}

func tryOf(name string, op history.Operation) string { return name + " " + string(op.Attempt) }

func answerTo(tl *trace.Timeline, op history.Operation) string {
	return fmt.Sprint(tl.Copy.Manifest, " ", op.Attempt, " ", op.Exchange.Code)
}

// Stored tells whether the copy is there for sure when a stage's edge is seen.
func Stored(tr *trace.Trace, tl *trace.Timeline, step int) bool {
	return !tl.Gone(step)
}

func isFrozen(tr *trace.Trace, z *frozen) result.Finding {
	first := z.tries[0]
	f := finding.Finding(tr, z.l, term.StaysWritable, first.Step)
	f.Rule, f.Class, f.State = term.Writable, evidence.ClassOf(tr.Calls, z.l, first.Step), term.Frozen
	if first.Role == term.New { // an impact is what a rollback does; who has the change must take it
		f.Class = term.Violation
	}
	f.Replica, f.Via, f.Release = first.Replica, first.Role, tr.History.Releases[first.Role].Version
	if f.Cause = blame.UnreadBefore(tr, z.l, first); f.Cause == term.Unattributed {
		f.Cause = blame.WhyInvalid(tr, z.l, first)
	}
	f.Message = fmt.Sprintf("%s %s%s: %s (%s), tried in step %d (%s) by %s%s, was answered %s%s; %s under %s",
		f.Kind, f.Copy, Others(z.alike), refusedTries(z.tries), f.Release, first.Step, f.Stage, cmp.Or(first.Client, term.Dynamic), finding.Validation(first.Exchange),
		refusedWith(tr, f.Kind, z.tries), blame.RefusedSince(f.Cause), f.Class, f.Rule)
	return f
}

// refusedTries are the tries in words: what was tried, and through whom.
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

// refusedWith is what the tries were answered: each answer once.
func refusedWith(tr *trace.Trace, kind string, tries []history.Operation) string {
	var all []string
	for _, op := range tries {
		if text := finding.AnswerText(tr, kind, op.Exchange); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; or ")
}

// Others are the copies that a try speaks for beside its own.
func Others(copies []string) string {
	switch len(copies) {
	case 0:
		return ""
	case 1:
		return " (and one other that differs in nothing but its name)"
	}
	return fmt.Sprintf(" (and %d others that differ in nothing but their names)", len(copies))
}
