package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Allows reports whether a release meets the constraint of a role. It compares the core of the
// version, so v1.37.0-rc.1 meets ">= 1.37". Without a constraint any release is allowed, even
// one without a version. It returns an error for a constraint or a version that go-version
// cannot parse.
func (r Releases) Allows(role term.Role, release string) (bool, error) {
	text := r.Constraint(role)
	if text == "" {
		return true, nil
	}
	return meets(release, text, fmt.Sprintf("releases.%s", role), fmt.Sprintf("%s release", role))
}

// meets compares a release's core version with a constraint. If go-version cannot parse one of
// them, the error names where that one comes from.
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

// Requirement describes the condition of Allows in words, for the error about a refused pair.
func (r Releases) Requirement(role term.Role) string {
	if text := r.Constraint(role); text != "" {
		return fmt.Sprintf("the scenario requires %s %s as the %s release", r.Of, text, role)
	}
	return fmt.Sprintf("the scenario requires %s as the %s release", r.Of, role)
}

// Constraint returns the constraint on the release of that role; "": any.
func (r Releases) Constraint(role term.Role) string {
	if role == term.Old {
		return r.Old
	}
	return r.New
}

// InOrder returns an error if the pair's old release is newer than its new one, or if
// go-version cannot parse a version. A prerelease counts as the release that it becomes; "" is
// a release that is not known yet. It returns nil if only the builds know the order.
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

// Unordered reports whether only the builds know which of two releases is newer: both are of
// one minor release, and one is named without a patch, which means the newest available one.
func Unordered(a, b string) bool {
	va, errA := version.NewVersion(a)
	vb, errB := version.NewVersion(b)
	if errA != nil || errB != nil || hasPatch(a) == hasPatch(b) {
		return false
	}
	return slices.Equal(va.Segments()[:2], vb.Segments()[:2])
}

// hasPatch reports whether a version names its patch: v1.36.3 does, v1.36 does not.
func hasPatch(text string) bool {
	core, _, _ := strings.Cut(text, "+")
	core, _, _ = strings.Cut(core, "-")
	return strings.Count(core, ".") > 1
}

// OlderThan returns an error if the clients' release is not older than the pair's old release,
// or more than three minor releases older. A release without a version is not compared.
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

// pairPattern matches component@old..new.
const pairPattern = `^([a-z0-9-]+)@(.+?)\.\.(.+)$`

// SplitPair splits a pair into component and versions.
func SplitPair(pair string) (of, oldVersion, newVersion string, ok bool) {
	m := regexp.MustCompile(pairPattern).FindStringSubmatch(pair)
	if m == nil {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

// Ends splits the scenario's own pair into component and versions:
// kube-apiserver@v1.36.3..v1.37.0.
func (r Releases) Ends() (of, oldVersion, newVersion string, ok bool) { return SplitPair(r.Pair) }
