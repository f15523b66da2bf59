package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// staysWritable judges that every object can still be written after each
// roll-out, through each replica: by dry runs, so that nothing comes of it. Its
// facts are the tries, for each copy that they speak for. What could not be
// written before the upgrade is not held against it.
func staysWritable(e *evidence) judged {
	w := &writability{e: e, never: e.neverWritable(), told: map[string]bool{}}
	for _, op := range e.calls.tries {
		if op.Attempt != term.DeleteAttempt && e.steps[op.Step].index > 0 {
			w.try(op)
		}
	}
	for _, f := range w.frozen {
		w.findings = append(w.findings, e.frozen(f))
	}
	return w.judged
}

// writability is the check at work.
type writability struct {
	judged
	e      *evidence
	never  never
	frozen []*frozen
	told   map[string]bool // by copy and release: at the step where it was found frozen first
}

// frozen are the tries of one copy that a release refused at one step.
type frozen struct {
	l     *life
	alike []string // the other copies that the tries speak for
	tries []history.Operation
}

func (w *writability) try(op history.Operation) {
	due := w.due(op)
	switch {
	case len(due) == 0:
	case op.Exchange.Succeeded(), op.Exchange.Panic != nil: // rule-3 tells of a panic
		w.facts += len(due)
	case w.e.interrupted(op.Exchange):
		w.untold++
	case !refuses(op.Exchange):
		w.untold, w.reason = w.untold+1, "a try met another write of the object, or found its server busy"
	default:
		w.facts += len(due)
		for _, part := range w.bySort(op, due) {
			w.freeze(op, part)
		}
	}
}

// bySort parts copies by what they are there for: a try may speak for copies of
// several objects and roles, and a finding is about those of one.
func (w *writability) bySort(op history.Operation, names []string) [][]string {
	var parts [][]string
	known := map[string]int{}
	for _, name := range names {
		l := cmp.Or(w.e.calls.lives[name], w.e.calls.lives[op.Copy]) // a damaged history may name any
		key := fmt.Sprint(l.copy.Object, " ", l.copy.Role)
		i, found := known[key]
		if !found {
			i = len(parts)
			known[key], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], name)
	}
	return parts
}

// due are the copies that a try speaks for, of those that are there and could
// be written before the upgrade: its own first, if it is one.
func (w *writability) due(op history.Operation) []string {
	return slices.DeleteFunc(append([]string{op.Copy}, op.For...), func(name string) bool {
		l := w.e.calls.lives[name]
		if l == nil {
			return name == op.Copy // a damaged history may name any
		}
		return !w.e.stored(l, op.Step) || w.e.mayNotBeTried(l, op) || !op.Exchange.Succeeded() && w.never.has(l, op)
	})
}

// mayNotBeTried tells whether the try asks for what no server does: an object
// that is on its way out takes no new finalizer.
func (e *evidence) mayNotBeTried(l *life, op history.Operation) bool {
	return op.Attempt == term.FinalizerAttempt && e.leaving(l, op.Step)
}

// freeze keeps a try that was refused. A copy is told of once for each release,
// where it was found frozen first, with all that was refused there.
func (w *writability) freeze(op history.Operation, due []string) {
	for _, f := range w.frozen {
		if first := f.tries[0]; first.Step == op.Step && first.Role == op.Role && slices.Contains(due, f.l.copy.Name) {
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
	w.frozen = append(w.frozen, &frozen{l: w.e.tried(op, due), alike: due[1:], tries: []history.Operation{op}})
}

// tried is the copy that a finding about a try names.
func (e *evidence) tried(op history.Operation, due []string) *life {
	if l := e.calls.lives[due[0]]; l != nil {
		return l
	}
	return e.calls.lives[op.Copy] // a damaged history may name any other
}

// never are the tries that were refused in the first stage already: of the
// copies that were tried then, and what was answered to any of a manifest.
type never struct {
	tried, written map[string]bool // by copy and attempt
	refused        map[string]bool // by manifest, attempt and code
}

// neverWritable are the tries that the first stage's server refused. A copy
// that was there is held against itself alone; what came later, against what
// its like was answered.
func (e *evidence) neverWritable() never {
	n := never{tried: map[string]bool{}, written: map[string]bool{}, refused: map[string]bool{}}
	for _, op := range e.calls.tries {
		if e.steps[op.Step].index > 0 {
			continue
		}
		for _, name := range append([]string{op.Copy}, op.For...) {
			l := e.calls.lives[name]
			if l == nil || !e.stored(l, op.Step) || e.mayNotBeTried(l, op) {
				continue
			}
			refused := refuses(op.Exchange) || op.Exchange.Panic != nil
			n.tried[tryOf(name, op)] = n.tried[tryOf(name, op)] || refused
			n.written[tryOf(name, op)] = n.written[tryOf(name, op)] || op.Exchange.Succeeded()
			if refused {
				n.refused[answerTo(l, op)] = true
			}
		}
	}
	return n
}

// has tells whether a try was refused before the upgrade: of the copy itself
// by every server, or of its like with the same code.
func (n never) has(l *life, op history.Operation) bool {
	if refused, tried := n.tried[tryOf(l.copy.Name, op)]; tried {
		return refused && !n.written[tryOf(l.copy.Name, op)]
	}
	return n.refused[answerTo(l, op)]
}

func tryOf(name string, op history.Operation) string { return name + " " + string(op.Attempt) }

func answerTo(l *life, op history.Operation) string {
	return fmt.Sprint(l.copy.Manifest, " ", op.Attempt, " ", op.Exchange.Code)
}

// lastTries are the tries of copies, of those that were repeated after a
// conflict the last, in the order of steps.
func (e *evidence) lastTries(lives map[string]*life) []history.Operation {
	last := map[string]int{}
	var all []history.Operation
	for _, op := range e.history.Operations {
		if op.Purpose != history.Try || lives[op.Copy] == nil {
			continue
		}
		key := fmt.Sprint(op.Step, " ", op.Copy, " ", op.Replica, " ", op.Attempt)
		if at, known := last[key]; !known {
			last[key] = len(all)
			all = append(all, op)
		} else if op.Turn >= all[at].Turn {
			all[at] = op
		}
	}
	slices.SortFunc(all, func(a, b history.Operation) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Replica, b.Replica), cmp.Compare(a.Attempt, b.Attempt))
	})
	return all
}

// stored tells whether the copy is there for sure when a stage's edge is seen.
func (e *evidence) stored(l *life, step int) bool {
	return !l.gone(step)
}

func (e *evidence) frozen(z *frozen) result.Finding {
	first := z.tries[0]
	f := e.finding(z.l, term.StaysWritable, first.Step)
	f.Rule, f.Class, f.State = term.Writable, e.calls.classOf(z.l, first.Step), term.Frozen
	if first.Role == term.New { // an impact is what a rollback does; who has the change must take it
		f.Class = term.Violation
	}
	f.Replica, f.Via, f.Release = first.Replica, first.Role, e.history.Releases[first.Role].Version
	if f.Cause = e.unreadBefore(z.l, first); f.Cause == term.Unattributed {
		f.Cause = e.whyInvalid(z.l, first)
	}
	f.Message = fmt.Sprintf("%s %s%s: %s (%s), tried in step %d (%s) by %s%s, was answered %s%s; %s under %s",
		f.Kind, f.Copy, others(z.alike), refusedTries(z.tries), f.Release, first.Step, f.Stage, cmp.Or(first.Client, term.Dynamic), validation(first.Exchange),
		e.refusedWith(f.Kind, z.tries), refusedSince(f.Cause), f.Class, f.Rule)
	return f
}

// unreadBefore is why a call could not read what it met, where it is known that
// the release does not read that.
func (e *evidence) unreadBefore(l *life, op history.Operation) term.Cause {
	why := e.calls.unread.cause(op.Role, []string{e.valueAt(l, op.Step)})
	v := e.storedBy(l, op.Step)
	if why != term.Unattributed || v == nil || outcomeOf(op) != cannotRead {
		return why
	}
	if c := e.unreadCause(op.Role, v.change); c == term.BadVersion || c == term.BadEncoding {
		return c
	}
	return why
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
func (e *evidence) refusedWith(kind string, tries []history.Operation) string {
	var all []string
	for _, op := range tries {
		if text := e.answerText(kind, op.Exchange); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; or ")
}

// others are the copies that a try speaks for beside its own.
func others(copies []string) string {
	switch len(copies) {
	case 0:
		return ""
	case 1:
		return " (and one other that differs in nothing but its name)"
	}
	return fmt.Sprintf(" (and %d others that differ in nothing but their names)", len(copies))
}
