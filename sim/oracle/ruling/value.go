package ruling

import "github.com/skewsim/skewsim/scenarios/term"

// Value is a field of an object with a value that a server took, as far as the releases' schemas tell of it.
type Value struct {
	// Published says which releases publish the field, in the version that is served.
	Published map[term.Role]bool
	// Removable reports that the release which has the field published it as one that may go: alpha, or
	// deprecated.
	Removable bool
	// Custom reports that a definition defines the kind: its servers prune what it does not declare.
	Custom bool
}

// Ruling is the outcome of a value with its cause, its class, and the rule that decides the class.
type Ruling struct {
	Outcome term.Outcome
	Cause   term.Cause
	Class   term.Class
	Rule    term.Rule
}

// Absent returns what a value is that is not served any more, by a release that served the object, or wrote it:
// as long as nobody has written the object it is hidden.
func (v Value) Absent(through term.Role, written bool) Ruling {
	r := v.Changed(through)
	if r.Outcome = term.Hidden; written {
		r.Outcome = term.Lost
	}
	return r
}

// Changed returns what a value is that is served as another one.
func (v Value) Changed(through term.Role) Ruling {
	r := Ruling{Outcome: term.Changed, Cause: term.Unattributed}
	if v.Published[through] {
		r.Class, r.Rule = ClassOf(false, false)
		return r
	}
	r.Cause = NotKept(v.Custom)
	r.Class, r.Rule = ClassOf(through == term.Old || !v.Published[term.Old], v.Removable)
	return r
}

// NotKept returns why a server drops a field that its release does not publish: it prunes custom resources to what
// the definition declares; for other kinds its types lack the field.
func NotKept(custom bool) term.Cause {
	if custom {
		return term.Pruned
	}
	return term.UnknownField
}

// ClassOf distinguishes an expected impact from a violation. rule-6 says that objects which use the change are
// impacted by a rollback, and a field is of the change if the old release does not publish it; one that the new
// release has dropped may go if it was published as removable. What else is lost breaks rule-2.
func ClassOf(ofChange, removed bool) (term.Class, term.Rule) {
	switch {
	case ofChange:
		return term.Impact, term.Rule6
	case removed:
		return term.Impact, term.RuleLifecycle
	}
	return term.Violation, term.Rule2
}
