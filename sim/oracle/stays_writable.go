package oracle

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// tries tells whether the plan tries, after a roll-out, what can be written.
func tries(e *evidence) bool {
	for _, at := range e.steps {
		if at.step.Action == plan.Attempt && at.index > 0 {
			return true
		}
	}
	return false
}

// staysWritable judges that every object can still be written after each
// roll-out, through each replica: by dry runs, so that nothing comes of it. Its
// facts are the tries, for each copy that they speak for. What could not be
// written before the upgrade is not held against it.
func staysWritable(e *evidence) judged {
	var j judged
	never := e.neverWritable()
	for _, op := range e.calls.tries {
		l := e.calls.lives[op.Copy]
		if op.Attempt == term.DeleteAttempt || e.steps[op.Step].index == 0 || !e.stored(l, op.Step) {
			continue
		}
		switch code := op.Exchange.Code; {
		case op.Exchange.Succeeded():
			j.facts += 1 + len(op.For)
		case e.interrupted(op.Exchange):
			j.untold++
		case code == http.StatusConflict:
			j.untold, j.reason = j.untold+1, "a try met another write of the object"
		case never[tryOf(l, op)]:
		default:
			j.facts += 1 + len(op.For)
			e.frozen(l, op, &j)
		}
	}
	return j
}

// neverWritable are the tries that failed in the first stage already.
func (e *evidence) neverWritable() map[string]bool {
	never := map[string]bool{}
	for _, op := range e.calls.tries {
		if e.steps[op.Step].index == 0 && !op.Exchange.Succeeded() {
			never[tryOf(e.calls.lives[op.Copy], op)] = true
		}
	}
	return never
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

// tryOf is what makes two tries the same: what is tried, on what manifest.
func tryOf(l *life, op history.Operation) string { return l.copy.Manifest + " " + string(op.Attempt) }

// stored tells whether the copy is there for sure when a stage's edge is seen.
func (e *evidence) stored(l *life, step int) bool {
	return !l.gone(step)
}

func (e *evidence) frozen(l *life, op history.Operation, j *judged) {
	f := e.finding(l, term.StaysWritable, op.Step)
	f.Rule, f.Class, f.State = term.Writable, e.calls.classOf(l), term.Frozen
	f.Replica, f.Via, f.Release = op.Replica, op.Role, e.history.Releases[op.Role].Version
	f.Cause = e.calls.unread.cause(op.Role, []string{e.valueAt(l, op.Step)})
	f.Message = fmt.Sprintf("%s %s%s: %s through %s (%s), tried in step %d (%s), was answered %s; %s under %s",
		f.Kind, f.Copy, others(op.For), term.Attempts().Meaning(op.Attempt), op.Replica, f.Release, op.Step, f.Stage,
		answerText(f.Kind, op.Exchange), f.Class, f.Rule)
	j.findings = append(j.findings, f)
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
