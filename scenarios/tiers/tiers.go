package tiers

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Tier is a group of tests that one make target runs.
type Tier string

// The tiers, cheapest first. Tests that call Need for no tier are unit tests: they run
// in each `go test`, also with -short.
const (
	// Smoke needs Frobber and nothing else. `make test` runs it with the unit tests.
	Smoke Tier = "smoke"
	// Frobber plays scenarios and mutants of Frobber, and compiles small programs.
	Frobber Tier = "frobber"
	// Race plays Frobber in a test binary that was built with -race.
	Race Tier = "race"
	// Kubernetes needs kube-apiservers of the newest available pair.
	Kubernetes Tier = "kubernetes"
	// Pages needs a browser or a Docker engine, or looks at conformance.
	Pages Tier = "pages"
	// Nightly has no time limit.
	Nightly Tier = "nightly"
)

// All returns the tiers, cheapest first.
func All() []Tier { return []Tier{Smoke, Frobber, Race, Kubernetes, Pages, Nightly} }

// Variable is the environment variable that selects tiers: names with commas between.
// Unset, Smoke is selected, so that plain `go test ./...` is `make test`.
const Variable = "SKEWSIM_TIER"

// Need skips a test whose tier is not selected. The name of the test must begin with
// that of its tier, as in TestFrobberMutants, so that `go test -run` selects tiers too;
// a test with another name fails.
func Need(t testing.TB, tier Tier) {
	t.Helper()
	if !named(t.Name(), tier) {
		t.Fatalf("%s: a test of tier %s is named Test%s…, so that make can select it", t.Name(), tier, title(tier))
	}
	if testing.Short() {
		t.Skipf("tier %s: not in -short", tier)
	}
	if !selected(os.Getenv(Variable), tier) {
		t.Skipf("tier %s: set %s=%s, or run make test-%s", tier, Variable, tier, tier)
	}
}

// NeedAny is Need for a helper that serves tests of several tiers: the name of the test
// says which. A test that is named for no tier fails. Benchmarks are of no tier: they run
// only where -bench asks for them.
func NeedAny(t testing.TB) {
	t.Helper()
	if _, is := t.(*testing.B); is {
		return
	}
	for _, tier := range All() {
		if named(t.Name(), tier) {
			Need(t, tier)
			return
		}
	}
	t.Fatalf("%s: starts servers, so it needs a tier: name it Test%s…, or for another tier of %v", t.Name(), title(Smoke), All())
}

func named(test string, tier Tier) bool {
	return strings.HasPrefix(test, "Test"+title(tier))
}

func title(tier Tier) string { return strings.ToUpper(string(tier[:1])) + string(tier[1:]) }

func selected(variable string, tier Tier) bool {
	if variable == "" {
		return tier == Smoke
	}
	return slices.Contains(strings.Split(variable, ","), string(tier))
}
