package load

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// when checks the pairs that a line of expect applies to.
func (v expectChecks) when(at string, w *scenarios.When) {
	if !v.given(at) || w == nil {
		return
	}
	if v.s.Releases.Of == scenarios.ManifestComponent {
		v.fail(at, "releases of %s have no versions: leave it out, and give each pair a scenario of its own", scenarios.ManifestComponent)
		return
	}
	if !v.given(at+".old") && !v.given(at+".new") && !v.Reported(at) {
		v.fail(at, `empty: say for which releases, as in {new: ">= 1.37"}, or leave it out`)
	}
	for _, role := range []term.Role{term.Old, term.New} {
		v.whenOf(at+"."+string(role), w.Constraint(role), v.s.Releases.Constraint(role), role)
	}
}

// whenOf checks the constraint on one release of a pair: at least one release of the scenario
// must meet it.
func (v expectChecks) whenOf(at, text, releases string, role term.Role) {
	when, err := version.NewConstraint(text)
	switch {
	case !v.given(at):
		return
	case err != nil:
		v.fail(at, `%s is not a constraint such as "< 1.36" or ">= 1.34, < 1.36"`, strict.Quote(text))
		return
	case !meetable(when):
		v.fail(at, "no release meets %s: correct it, or leave it out", strict.Quote(text))
		return
	}
	if of, err := version.NewConstraint(releases); err == nil && !meetable(append(when, of...)) {
		v.fail(at, "no release meets both %s and releases.%s, which is %s: correct one of them", strict.Quote(text), role, strict.Quote(releases))
	}
}

// meetable reports whether a release could meet all constraints. The earliest such release is
// the first of all, a release that a constraint names, or the one after it.
func meetable(all version.Constraints) bool {
	tried := []*version.Version{version.Must(version.NewVersion("0.0.0"))}
	for _, c := range all {
		named, err := version.NewVersion(strings.TrimLeft(c.String(), "=!<>~ "))
		if err != nil {
			return true // it cannot be decided
		}
		s := named.Segments()
		tried = append(tried, named.Core(), version.Must(version.NewVersion(fmt.Sprintf("%d.%d.%d", s[0], s[1], s[2]+1))))
	}
	return slices.ContainsFunc(tried, all.Check)
}

// exception checks the owner and the last day of a line of expect.
func (v expectChecks) exception(at string, e *scenarios.Expectation) {
	v.remark(at+".owner", e.Owner)
	v.remark(at+".why", e.Why)
	if !v.given(at + ".until") {
		return
	}
	if _, err := time.Parse(time.DateOnly, e.Until); err != nil {
		v.fail(at+".until", "%s is not a date such as 2027-03-31", strict.Quote(e.Until))
	}
	if !v.given(at + ".owner") {
		v.fail(at+".until", "has no owner: add owner, who fixes it by then")
	}
}

// maxRemark bounds the text about a line, which reports show beside the line.
const maxRemark = 300

// remark checks a text for people, which terminals print too.
func (v expectChecks) remark(at, text string) {
	odd := func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }
	switch {
	case !v.given(at):
	case strings.TrimSpace(text) == "":
		v.fail(at, "empty: say it, or leave it out")
	case strings.ContainsFunc(text, odd):
		v.fail(at, "%s: holds what cannot be printed", strict.Quote(text))
	case len(text) > maxRemark:
		v.fail(at, "longer than %d characters", maxRemark)
	}
}
