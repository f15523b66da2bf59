package load

import (
	"slices"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// manifests checks what only scenarios of manifests may have. It does not read their folders.
func (v releaseChecks) manifests() {
	r, is := v.s.Releases, v.s.Releases.Of == scenarios.ManifestComponent
	switch {
	case !is && r.Server != "":
		v.fail("releases.server", "is of crd, and this is a scenario of %s", strict.Quote(r.Of))
	case r.Server != "" && !servers.IsUnderlying(r.Server):
		v.fail("releases.server", "%s is not a kube-apiserver such as kube-apiserver@v1.37.0 or path:FILE", strict.Quote(r.Server))
	}
	switch {
	case r.Programs == "":
	case !is:
		v.fail("releases.programs", "is of crd, and this is a scenario of %s", strict.Quote(r.Of))
	case len(r.Through) > 0:
		v.fail("releases.programs", "is for one pair of releases, and releases.through names a chain: remove one of them")
	}
	for role, options := range map[term.Role]scenarios.Options{term.Old: v.s.Old, term.New: v.s.New} {
		if options.Forgotten && (!is || role == term.Old) {
			v.fail(string(role)+".forgotten", "is of the new release, where releases are crd")
		}
	}
	switch {
	case !is:
	case len(r.Through) > 0:
		v.fail("releases.through", "a chain of manifests is not supported: name a pair")
	case r.Pair != "" && !scenarios.ManifestsPair.MatchString(r.Pair):
		v.fail("releases.pair", "%s is not a pair such as crd:manifests/v1..crd:manifests/v2", strict.Quote(r.Pair))
	}
}

// modules checks the releases of scenarios of Go modules. It does not read the adapter.
func (v releaseChecks) modules() {
	const at = "releases.pair"
	r := v.s.Releases
	if slices.Contains(scenarios.Components(), r.Of) && !v.Reported("releases.of") {
		v.fail("releases", "of is %s, and releases are of a Go module: say of, what its server is called, such as sample-apiserver", strict.Quote(r.Of))
	}
	if len(r.Through) > 0 {
		v.fail("releases.through", "a chain of Go modules is not supported: name a pair")
	}
	if r.Pair == "" {
		return
	}
	m := scenarios.ModulePair.FindStringSubmatch(r.Pair)
	if m == nil {
		v.fail(at, "%s is not a pair such as module:k8s.io/sample-apiserver@v0.35.4..v0.37.0", strict.Quote(r.Pair))
		return
	}
	if err := scenarios.InOrder(m[2], m[4]); err != nil && (m[3] == "" || m[3] == m[1]) {
		v.fail(at, "%s", err)
	}
	v.end(at, term.Old, m[2])
	v.end(at, term.New, m[4])
}

func (v releaseChecks) releases() {
	r := v.s.Releases
	if v.given("releases.of") && !slices.Contains(scenarios.Components(), r.Of) && !r.OfModules() {
		v.fail("releases.of", "unknown component %s%s", strict.Quote(r.Of), suggest.Hint(r.Of, scenarios.Components(), "components"))
	}
	if r.OfModules() {
		v.modules()
	}
	for _, role := range []term.Role{term.Old, term.New} {
		v.constraint(role)
	}
	v.manifests()
	v.olderClients()
	if r.Pair != "" && r.Of != scenarios.ManifestComponent && !r.OfModules() {
		v.pair()
	}
	if len(r.Through) > 0 {
		v.through()
	}
}

func (v releaseChecks) constraint(role term.Role) {
	text := v.s.Releases.Constraint(role)
	if text == "" {
		return
	}
	if _, err := version.NewConstraint(text); err != nil {
		v.fail("releases."+string(role), `%s is not a constraint such as "< 1.37" or ">= 1.34, < 1.36"`, strict.Quote(text))
	}
}

// pair compares the default pair with the scenario's own constraints.
func (v releaseChecks) pair() {
	const at = "releases.pair"
	r := v.s.Releases
	of, oldVersion, newVersion, ok := scenarios.SplitPair(r.Pair)
	if !ok {
		v.fail(at, "%s is not a pair such as kube-apiserver@v1.36.3..v1.37.0", strict.Quote(r.Pair))
		return
	}
	if of != r.Of && !v.Reported("releases.of") {
		v.fail(at, "the pair is of %s, and the scenario is for releases of %s: set releases.of", strict.Quote(of), strict.Quote(r.Of))
	}
	if err := scenarios.InOrder(oldVersion, newVersion); err != nil {
		v.fail(at, "%s", err)
	}
	v.end(at, term.Old, oldVersion)
	v.end(at, term.New, newVersion)
}

func (v releaseChecks) end(at string, role term.Role, release string) {
	allowed, err := v.s.Releases.Allows(role, release)
	switch {
	case v.Reported("releases." + string(role)):
	case err != nil:
		v.fail(at, "%s is not a version", strict.Quote(release))
	case !allowed:
		v.fail(at, "%s: %s", release, v.s.Releases.Requirement(role))
	}
}
