package evidence

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// TriedCopies are the copies that a try speaks for, of those that are there and could
// be written before the upgrade: its own first, if it is one.
func (n RefusedTries) TriedCopies(ev *Evidence, op history.Operation) []string {
	return slices.DeleteFunc(append([]string{op.Copy}, op.For...), func(name string) bool {
		tl := ev.ByCopy[name]
		if tl == nil {
			return name == op.Copy // a damaged history may name any
		}
		return tl.IsGone(op.Step) || mayNotBeTried(ev, tl, op) || !op.Exchange.Succeeded() && n.has(tl, op)
	})
}

// mayNotBeTried reports whether the try asks for what no server does: an object
// that is on its way out takes no new finalizer.
func mayNotBeTried(ev *Evidence, tl *trace.Timeline, op history.Operation) bool {
	return op.Attempt == term.FinalizerAttempt && ev.IsBeingDeleted(tl, op.Step)
}

// Tried is the copy that a finding about a try names.
func Tried(ev *Evidence, op history.Operation, due []string) *trace.Timeline {
	if tl := ev.ByCopy[due[0]]; tl != nil {
		return tl
	}
	return ev.ByCopy[op.Copy] // a damaged history may name any other
}

// RefusedTries are the tries that were refused in the first stage already: of the
// copies that were tried then, and what was answered to any of a manifest.
type RefusedTries struct {
	tried, written map[string]bool // by copy and attempt
	refused        map[string]bool // by manifest, attempt and code
}

// NeverWritable are the tries that the first stage's server refused. A copy
// that was there is held against itself alone; what came later, against what
// its like was answered.
func NeverWritable(ev *Evidence) RefusedTries {
	n := RefusedTries{tried: map[string]bool{}, written: map[string]bool{}, refused: map[string]bool{}}
	for _, op := range ev.Calls.Tries {
		if ev.Steps[op.Step].StageIndex > 0 {
			continue
		}
		for _, name := range append([]string{op.Copy}, op.For...) {
			tl := ev.ByCopy[name]
			if tl == nil || tl.IsGone(op.Step) || mayNotBeTried(ev, tl, op) {
				continue
			}
			refused := trace.IsRefusal(op.Exchange) || op.Exchange.Panic != nil
			n.tried[tryOf(name, op)] = n.tried[tryOf(name, op)] || refused
			n.written[tryOf(name, op)] = n.written[tryOf(name, op)] || op.Exchange.Succeeded()
			if refused {
				n.refused[answerTo(tl, op)] = true
			}
		}
	}
	return n
}

// has reports whether a try was refused before the upgrade: of the copy itself
// by every server, or of its like with the same code.
func (n RefusedTries) has(tl *trace.Timeline, op history.Operation) bool {
	if refused, tried := n.tried[tryOf(tl.Copy.Name, op)]; tried {
		return refused && !n.written[tryOf(tl.Copy.Name, op)]
	}
	return n.refused[answerTo(tl, op)]
}

func tryOf(name string, op history.Operation) string { return name + " " + string(op.Attempt) }

func answerTo(tl *trace.Timeline, op history.Operation) string {
	return fmt.Sprint(tl.Copy.Manifest, " ", op.Attempt, " ", op.Exchange.Code)
}
