package scenarios

import (
	"fmt"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
)

// When restricts an expectation to pairs of releases. It compares core versions with the
// constraints, as Releases does. Default of each: any.
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

// Elsewhere returns why the line does not apply to a pair: it is for other releases. It returns
// "" if the line applies. Open reports that this is not known yet, because the version of a
// release with a constraint is "". It returns an error for a constraint or a version that
// go-version cannot parse.
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

// Expired reports whether the line has expired on a day. A line is still valid on its last day.
// Days are in UTC.
func (e Expectation) Expired(day time.Time) bool {
	return e.Until != "" && Day(day) > e.Until
}

// Day returns the day of a time in UTC, as Until has it: YYYY-MM-DD.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
