package blame

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// notSentBack returns why a client did not send back what the object holds at a field that a
// server names when it refuses the whole object. The causes are those of a lost value.
func notSentBack(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, fields []Objection) term.Cause {
	step, v := ev.Steps[op.Step].Step, ev.StoredBy(tl, op.Step)
	if op.Purpose != history.Act || !step.Verb.Whole() || !step.Verb.Reads() || v == nil {
		return term.Unattributed
	}
	met := objectMet(ev, tl, op)
	for _, field := range fields {
		at, _, found := tl.Kind.Named(met, field.Name)
		if !found {
			continue
		}
		if cause := notSentBackAt(ev, tl, op, v, at); cause != term.Unattributed {
			return cause
		}
	}
	return term.Unattributed
}

// notSentBackAt returns the cause for the first acknowledged value at or below a path that is
// stored and that the client did not send.
func notSentBackAt(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, v *trace.StoredVersion, at fieldpath.Path) term.Cause {
	for _, acked := range tl.AckedValues {
		if !acked.Acknowledged || !path.Contains(at, acked.Leaf.Path) || acked.IsWithdrawnAt(v) || !ShowsValue(ev, tl, v, acked) {
			continue
		}
		w := Write{Ev: ev, Timeline: tl, Acked: acked, Act: op, Step: ev.Steps[op.Step].Step}
		if w.Sends() {
			continue
		}
		if cause := w.omitted(term.Unattributed); cause != term.Unattributed {
			return cause
		}
	}
	return term.Unattributed
}
