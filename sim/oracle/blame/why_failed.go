package blame

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// WhyFailed is why a call did not come to a success, where its outcome says that
// or what it met could not be read.
func WhyFailed(ev *evidence.Evidence, tl *trace.Timeline, number int) term.Cause {
	act := ev.Acts[number]
	if evidence.MeetsUnserved(ev, tl, number) {
		return term.NotServed
	}
	if why := trace.OutcomeOf(act).Cause(); why != term.Unattributed || tl.Copy.Name == "" {
		return why
	}
	if trace.OutcomeOf(act) != trace.CannotRead {
		return WhyInvalid(ev, tl, act)
	}
	return UnreadBefore(ev, tl, act)
}

// UnreadBefore is why a call could not read what it met, where it is known that
// the release does not read that.
func UnreadBefore(ev *evidence.Evidence, tl *trace.Timeline, op history.Operation) term.Cause {
	why := ev.Unread.Cause(op.Role, []string{ev.ValueAt(tl, op.Step)})
	v := ev.StoredBy(tl, op.Step)
	if why != term.Unattributed || v == nil || trace.OutcomeOf(op) != trace.CannotRead {
		return why
	}
	if c := evidence.UnreadCause(ev, op.Role, v.Change); c == term.BadVersion || c == term.BadEncoding {
		return c
	}
	return why
}
