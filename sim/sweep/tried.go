package sweep

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// Verdict is what dry runs say.
type Verdict struct {
	term.Effect
	Class  term.Class
	Rule   term.Rule
	Cause  term.Cause
	Reason string
}

// VerdictOfRule returns the verdict of a rule that no journey plays. One definition at a time has no
// "kept": no value was found that only one of them refuses. Nor have releases that refuse every value: without
// one that they permit, nothing shows that they permit the same.
func VerdictOfRule(r try.Result, oneDefinition bool) Verdict {
	v := Verdict{Effect: term.NotExercised.Effect(), Reason: r.Reason}
	switch {
	case len(r.Trials) > 0 && r.Trials[0].IsReplaced():
		return ofNull(r.Trials[0])
	case len(r.Trials) > 0:
		t := r.Trials[0]
		v.Effect = term.Refused.Effect()
		v.Reason = fmt.Sprintf("only the %s release accepts a value on the far side of the rule, as a dry run: %s", t.AcceptedBy(), t.Old.Message+t.New.Message)
	case r.Unanswered > 0 && v.Reason == "":
		v.Reason = fmt.Sprintf("%d of %d values got no answer that says anything of the value", r.Unanswered, r.Sent)
	case r.Alike() && r.BothAccept == 0:
		v.Reason = fmt.Sprintf("no valid value was found: both releases refuse all of %d values, as dry runs", r.BothRefuse)
	case r.Alike() && oneDefinition:
		v.Reason = fmt.Sprintf("no value was found that one definition refuses alone: both accept %d and refuse %d of %d values, as dry runs", r.BothAccept, r.BothRefuse, r.Sent)
	case r.Alike():
		v.Effect = term.Kept.Effect()
		v.Reason = fmt.Sprintf("both releases accept %d and refuse %d of %d values, as dry runs", r.BothAccept, r.BothRefuse, r.Sent)
	case v.Reason == "":
		v.Reason = fmt.Sprintf("no value shows the rule: of %d values both releases accept %d and refuse %d, and accept %d without keeping it", r.Sent, r.BothAccept, r.BothRefuse, r.Dropped)
		if others := r.Sent - r.BothAccept - r.BothRefuse - r.Dropped; others > 0 {
			v.Reason += fmt.Sprintf("; of the other %d a release refuses the object for another reason, whatever the value", others)
		}
	}
	return v
}

// ofNull returns the verdict of an explicit null that one release keeps, and the other one does not:
// servers treat what they read from the store as they treat what they are sent.
func ofNull(t try.Trial) Verdict {
	v, other := withClass(t)
	v.Effect, v.Cause = term.Dropped.Effect(), term.Pruned
	if other.Default != nil {
		v.Effect, v.Cause = term.Changed.Effect(), term.Defaulted
	}
	v.Reason = fmt.Sprintf("only the %s release keeps an explicit null at %s, as a dry run: of the other one's answer, %s", t.AcceptedBy(), t.Held, other.Message)
	return v
}

// VerdictOfParts returns the verdict of a list or map of which a second manager applied a part; false: no dry run
// shows that one release keeps the other parts and the other one does not. That only the new release keeps
// them harms nobody who does not rely on it: it is kept, with a reason.
func VerdictOfParts(r try.Result) (Verdict, bool) {
	if len(r.Trials) == 0 || !r.Trials[0].IsReplaced() {
		return Verdict{}, false
	}
	t := r.Trials[0]
	v, _ := withClass(t)
	v.Effect, v.Cause = term.Lost.By(term.NewRelease), term.ListReplaced
	if t.AcceptedBy() == term.New {
		v = Verdict{Effect: term.Kept.Effect()}
	}
	v.Reason = fmt.Sprintf("a second manager that applies a part of %s removes the others through the %s release, and keeps them through the %s one, as dry runs", t.Held, t.AcceptedBy().Other(), t.AcceptedBy())
	return v, true
}

// withClass returns a verdict with the rule that a release breaks which treats what the old one keeps
// otherwise, and the answer of the release that keeps nothing. What only the new release keeps is an
// impact on those who use it.
func withClass(t try.Trial) (Verdict, try.Answer) {
	if t.AcceptedBy() == term.New {
		return Verdict{Class: term.Impact, Rule: term.Rule6}, t.Old
	}
	return Verdict{Class: term.Violation, Rule: term.Rule2}, t.New
}
