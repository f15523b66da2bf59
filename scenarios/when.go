package scenarios

import (
	"fmt"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
)

// When says of which pairs of releases a finding is expected. Constraints are held
// against core versions, as those of Releases are. Default of each: any.
type When struct {
	Old string `json:"old,omitempty" jsonschema_description:"Constraint on the old release, such as \"< 1.36\"; default any."`
	New string `json:"new,omitempty" jsonschema_description:"Constraint on the new release, such as \">= 1.37\"; default any."`
}

// Constraint returns the constraint on the release of that role; "": any.
func (w When) Constraint(role term.Role) string {
	if role == term.Old {
		return w.Old
	}
	return w.New
}

// Elsewhere says why a pair's findings are not expected by the line: it is for other
// releases. "": it is for these. Open tells that nobody knows yet, for the version of a
// release that it asks about is "". Errors: a constraint or a version that go-version
// cannot read.
func (e Expectation) Elsewhere(version func(term.Role) string) (why string, open bool, err error) {
	if e.When == nil {
		return "", false, nil
	}
	for _, role := range []term.Role{term.Old, term.New} {
		text, release := e.When.Constraint(role), version(role)
		switch {
		case text == "":
		case release == "":
			open = true
		default:
			holds, err := meets(release, text, fmt.Sprintf("when.%s", role), fmt.Sprintf("%s release", role))
			if err != nil || !holds {
				return fmt.Sprintf("it is for a pair whose %s release is %s, and this one's is %s", role, text, release), false, err
			}
		}
	}
	if open {
		return "whether it is for this pair is known when its releases are", true, nil
	}
	return "", false, nil
}

// Expired tells whether the line is an exception whose time is over on a day. The day
// that it names still counts. Days are those of UTC.
func (e Expectation) Expired(day time.Time) bool {
	return e.Until != "" && Day(day) > e.Until
}

// Day is the day of a time as Until has it: in UTC, YYYY-MM-DD.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
