package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios/term"
)

// When says of which pairs of releases a finding is expected. Constraints are held
// against core versions, as those of Releases are. Default of each: any.
type When struct {
	Old string `json:"old,omitempty" jsonschema_description:"Constraint on the old release, such as \"< 1.36\"; default any."`
	New string `json:"new,omitempty" jsonschema_description:"Constraint on the new release, such as \">= 1.37\"; default any."`
}

func (w When) constraint(role term.Role) string {
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
		text, release := e.When.constraint(role), version(role)
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

// when checks for which pairs a line of expect is.
func (v *validator) when(at string, w *When) {
	if !v.given(at) || w == nil {
		return
	}
	if v.s.Releases.Of == ofManifests {
		v.fail(at, "releases of %s have no versions: leave it out, and give each pair a scenario of its own", ofManifests)
		return
	}
	if !v.given(at+".old") && !v.given(at+".new") && !v.reported(at) {
		v.fail(at, `empty: say for which releases, as in {new: ">= 1.37"}, or leave it out`)
	}
	for _, role := range []term.Role{term.Old, term.New} {
		v.whenOf(at+"."+string(role), w.constraint(role), v.s.Releases.constraint(role), role)
	}
}

// whenOf checks the constraint on one release of a pair: some release must meet it that
// the scenario is for.
func (v *validator) whenOf(at, text, releases string, role term.Role) {
	when, err := version.NewConstraint(text)
	switch {
	case !v.given(at):
		return
	case err != nil:
		v.fail(at, `%s is not a constraint such as "< 1.36" or ">= 1.34, < 1.36"`, quote(text))
		return
	case !meetable(when):
		v.fail(at, "no release meets %s: correct it, or leave it out", quote(text))
		return
	}
	if of, err := version.NewConstraint(releases); err == nil && !meetable(append(when, of...)) {
		v.fail(at, "no release meets both %s and releases.%s, which is %s: correct one of them", quote(text), role, quote(releases))
	}
}

// meetable tells whether a release could meet all constraints. The earliest that does is
// the first of all, one that a constraint names, or the one after it.
func meetable(all version.Constraints) bool {
	tried := []*version.Version{version.Must(version.NewVersion("0.0.0"))}
	for _, c := range all {
		named, err := version.NewVersion(strings.TrimLeft(c.String(), "=!<>~ "))
		if err != nil {
			return true // nothing is known of it
		}
		s := named.Segments()
		tried = append(tried, named.Core(), version.Must(version.NewVersion(fmt.Sprintf("%d.%d.%d", s[0], s[1], s[2]+1))))
	}
	return slices.ContainsFunc(tried, all.Check)
}

// exception checks who owns a line of expect, and until when.
func (v *validator) exception(at string, e *Expectation) {
	v.remark(at+".owner", e.Owner)
	v.remark(at+".why", e.Why)
	if !v.given(at + ".until") {
		return
	}
	if _, err := time.Parse(time.DateOnly, e.Until); err != nil {
		v.fail(at+".until", "%s is not a date such as 2027-03-31", quote(e.Until))
	}
	if !v.given(at + ".owner") {
		v.fail(at+".until", "has no owner: say in owner who is to have it mended by then")
	}
}

// maxRemark bounds what is said of a line: reports show it beside each.
const maxRemark = 300

// remark checks a text for people, which terminals show as well.
func (v *validator) remark(at, text string) {
	odd := func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }
	switch {
	case !v.given(at):
	case strings.TrimSpace(text) == "":
		v.fail(at, "empty: say it, or leave it out")
	case strings.ContainsFunc(text, odd):
		v.fail(at, "%s: holds what cannot be printed", quote(text))
	case len(text) > maxRemark:
		v.fail(at, "longer than %d characters", maxRemark)
	}
}
