package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Allows tells whether a release can play that end of the pair. The version is
// held against the constraint by its core, so v1.37.0-rc.1 meets ">= 1.37". An
// end without a constraint allows anything, even what is no version. Errors: a
// constraint or a version that go-version cannot read.
func (r Releases) Allows(role term.Role, release string) (bool, error) {
	text := r.Constraint(role)
	if text == "" {
		return true, nil
	}
	return meets(release, text, fmt.Sprintf("releases.%s", role), fmt.Sprintf("%s release", role))
}

// meets holds a release's core version against a constraint. Each is told of, when
// go-version cannot read it, by where it comes from.
func meets(release, constraint, fromFile, fromBuild string) (bool, error) {
	c, err := version.NewConstraint(constraint)
	if err != nil {
		return false, fmt.Errorf("%s: constraint %q: %w", fromFile, constraint, err)
	}
	v, err := version.NewVersion(release)
	if err != nil {
		return false, fmt.Errorf("%s: version %q: %w", fromBuild, release, err)
	}
	return c.Check(v.Core()), nil
}

// Requirement says in words what Allows holds a release against, for the
// error that a refused pair gets.
func (r Releases) Requirement(role term.Role) string {
	if text := r.Constraint(role); text != "" {
		return fmt.Sprintf("the scenario's %s release is a %s %s", role, r.Of, text)
	}
	return fmt.Sprintf("the scenario's %s release is any %s", role, r.Of)
}

// Constraint returns the constraint on the release of that role; "": any.
func (r Releases) Constraint(role term.Role) string {
	if role == term.Old {
		return r.Old
	}
	return r.New
}

// InOrder tells of a pair whose old release is newer than its new one. A
// prerelease counts as the release that it will become, and an end that is not
// known yet is "". Where only the builds tell, it says nothing. An error too: a version
// that go-version cannot read.
func InOrder(oldVersion, newVersion string) error {
	if oldVersion == "" || newVersion == "" || Unordered(oldVersion, newVersion) {
		return nil
	}
	old, err := version.NewVersion(oldVersion)
	if err != nil {
		return fmt.Errorf("version %q: %w", oldVersion, err)
	}
	new, err := version.NewVersion(newVersion)
	if err != nil {
		return fmt.Errorf("version %q: %w", newVersion, err)
	}
	if old.Core().GreaterThan(new.Core()) {
		return fmt.Errorf("the old release %s is newer than the new one %s: swap them", oldVersion, newVersion)
	}
	return nil
}

// Unordered tells whether only their builds say which of two releases is the newer one:
// they are of one minor, and one of them is named without a patch, which means the newest
// that can be had.
func Unordered(a, b string) bool {
	va, errA := version.NewVersion(a)
	vb, errB := version.NewVersion(b)
	if errA != nil || errB != nil || hasPatch(a) == hasPatch(b) {
		return false
	}
	return slices.Equal(va.Segments()[:2], vb.Segments()[:2])
}

// hasPatch tells whether a version names its patch, as v1.36.3 does and v1.36 does not.
func hasPatch(text string) bool {
	core, _, _ := strings.Cut(text, "+")
	core, _, _ = strings.Cut(core, "-")
	return strings.Count(core, ".") > 1
}

// OlderThan tells of clients that are not older than a pair's old release, or that are
// more than three minor releases older. An end that is no version tells nothing.
func OlderThan(clients, oldVersion string) error {
	of, errOf := version.NewVersion(clients)
	old, errOld := version.NewVersion(oldVersion)
	if errOf != nil || errOld != nil {
		return nil
	}
	from, to := of.Segments(), old.Segments()
	switch {
	case from[0] != to[0] || from[1] >= to[1]:
		return fmt.Errorf("clients of %s are not older than the old release %s: name an earlier minor release, or say old-typed", clients, oldVersion)
	case to[1]-from[1] > 3:
		return fmt.Errorf("clients of %s are more than three releases older than %s: name a later one", clients, oldVersion)
	}
	return nil
}

// pairPattern is component@old..new.
const pairPattern = `^([a-z0-9-]+)@(.+?)\.\.(.+)$`

// SplitPair takes a pair apart.
func SplitPair(pair string) (of, oldVersion, newVersion string, ok bool) {
	m := regexp.MustCompile(pairPattern).FindStringSubmatch(pair)
	if m == nil {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

// Ends takes the scenario's own pair apart, where it names one component and two
// versions: kube-apiserver@v1.36.3..v1.37.0.
func (r Releases) Ends() (of, oldVersion, newVersion string, ok bool) { return SplitPair(r.Pair) }
