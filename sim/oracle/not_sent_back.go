package oracle

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// notSentBack is why a client did not send back what the object holds at a field that a
// server names when it refuses the whole object: as for a value that is lost.
func (e *evidence) notSentBack(l *life, op history.Operation, fields []objection) term.Cause {
	step, v := e.steps[op.Step].step, e.storedBy(l, op.Step)
	if op.Purpose != history.Act || !step.Verb.Whole() || !step.Verb.Reads() || v == nil {
		return term.Unattributed
	}
	met := e.objectMet(l, op)
	for _, field := range fields {
		at, _, found := l.kind.Named(met, field.name)
		if !found {
			continue
		}
		if cause := e.notSentBackAt(l, op, v, at); cause != term.Unattributed {
			return cause
		}
	}
	return term.Unattributed
}

// notSentBackAt is that of the first acknowledged value at a path, or below it, which is
// stored, and which the client did not send.
func (e *evidence) notSentBackAt(l *life, op history.Operation, v *version, at fieldpath.Path) term.Cause {
	for _, n := range l.entries {
		if !n.acknowledged || !path.Contains(at, n.leaf.Path) || n.over(v) || !e.holds(l, v, n) {
			continue
		}
		w := write{e: e, l: l, n: n, act: op, step: e.steps[op.Step].step}
		if w.sends() {
			continue
		}
		if cause := w.omitted(term.Unattributed); cause != term.Unattributed {
			return cause
		}
	}
	return term.Unattributed
}
