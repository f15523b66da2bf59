package blame

import (
	"net/http"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// WhyFailed returns why a call did not succeed, if its outcome or the unreadable object that it
// met shows that.
func WhyFailed(ev *trace.Evidence, tl *trace.Timeline, number int) term.Cause {
	act := ev.Acts[number]
	if trace.MeetsUnserved(ev, tl, number) {
		return term.NotServed
	}
	if why := trace.ProgramCause(act.Exchange); why != "" {
		return why
	}
	if part := ev.Steps[number].Step.Part(); part != "" && act.Exchange.Code == http.StatusNotFound && servesAlone(ev, tl, act.Role.Other(), part) {
		return term.OtherSubresource
	}
	if why := trace.OutcomeOf(act).Cause(); why != term.Unattributed || tl.Copy.Name == "" {
		return why
	}
	if trace.OutcomeOf(act) != ruling.CannotRead {
		return WhyInvalid(ev, tl, act)
	}
	return UnreadBefore(ev, tl, act)
}

// servesAlone reports whether a release serves a subresource of the kind that the other one does not serve.
func servesAlone(ev *trace.Evidence, tl *trace.Timeline, role term.Role, part string) bool {
	return trace.HasPart(ev.Trace, tl, role, part) && !trace.HasPart(ev.Trace, tl, role.Other(), part)
}

// MovedToStatus reports whether a call that is not of /status sends a value of the status to a release in
// which /status alone writes it; in the other release the kind has no /status.
func MovedToStatus(ev *trace.Evidence, tl *trace.Timeline, number int, at fieldpath.Path) bool {
	return ev.Steps[number].Step.Part() == "" && path.Contains(trace.StatusPath(), at) && servesAlone(ev, tl, ev.Acts[number].Role, term.StatusPart)
}

// UnreadBefore returns why a call could not read the object that it met, if its release is known
// not to read it.
func UnreadBefore(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) term.Cause {
	why := ev.Unread.Cause(op.Role, []string{ev.ValueAt(tl, op.Step)})
	v := ev.StoredBy(tl, op.Step)
	if why != term.Unattributed || v == nil || trace.OutcomeOf(op) != ruling.CannotRead {
		return why
	}
	if c := trace.UnreadCause(ev, op.Role, v.Change); c == term.BadVersion || c == term.BadEncoding {
		return c
	}
	return why
}
