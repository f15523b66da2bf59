package main

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine/request"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/scope"
	"github.com/skewsim/skewsim/sim/sweep/session"
)

// alwaysSwept are mutants whose harm a sweep must find: at values of fields that both releases
// publish, in conversions between versions, in validation that no schema states, and in fields that
// depend on others.
func alwaysSwept() []string {
	return []string{
		"add-field+meaning", "add-field+null", "add-field+refuses", "add-field+required", "add-field+rewrites",
		"add-field+value", "alpha-version+stored", "colour+another", "colour+new-only", "colour+unstable",
		"discovery+preferred", "expressive+new-only", "plural+replaces", "plural+undoes", "policy-allowed+chokes",
		"policy-gate+chokes", "policy-retired+removed", "policy-retired+replaced", "policy-switch+chokes",
		"policy-switch+resets", "policy-tolerated+at-once", "prefix+required", "ratchet+immutable",
		"ratchet+relaxed", "ratchet+tightened", "ratchet+valid", "rename+fails", "rename+new-wins", "rename+zero",
		"rewrite-known+removed", "star+forgets", "star+swaps", "storage-rewrite+stored", "store-version+unserved",
		"union-grown+removed", "unknown-member+presumes",
	}
}

// unswept are mutants that a sweep is not expected to find, with the reasons as the mutants' code has
// them. Of mutants in neither list it is not known.
func unswept() map[string]string {
	const (
		noAnnotation = "no release publishes the annotations that it reads"
		promised     = "only a scenario says which answer is right: the old release cannot be asked the same"
	)
	return map[string]string{
		"alpha-version+unparked": noAnnotation,
		"annotation+status":      noAnnotation,
		"expressive+apart":       "the old release has no second field to compare with: only a scenario's related says that they are one",
		"plural+alone":           promised,
		"plural+unchecked":       promised,
		"plural+omits":           "rule-6 expects that an old client loses a new field: only a scenario says that the new release keeps it",
		"prefix-real+both":       promised,
		"promoted+drift":         noAnnotation,
		"promoted+guard":         noAnnotation,
		"policy-reader+closed":   "it is about clients that skip releases; no value that both servers treat differently was tried",
		"field-labels+labels":    "no release publishes the fields that a LIST selects by",
		"field-labels+unlabels":  "no release publishes the fields that a LIST selects by",
		"union+closed":           "the old release does not have the union",
	}
}

// TestNightlySweepMutants: a sweep finds a broken rule in mutants that it knows nothing of. Those
// that it must find fail the test, and it prints how many of all it finds.
func TestNightlySweepMutants(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	withFrobber(t)
	mutants := sweptMutants(t)
	var found, missed []string
	for _, name := range tiers.Shard(t, slices.Sorted(maps.Keys(mutants))) {
		t.Run(name, func(t *testing.T) {
			if len(breaking(swept(t, mutants[name], scope.Scope{}))) > 0 {
				found = append(found, name)
				return
			}
			missed = append(missed, name)
			assert.NotContains(t, alwaysSwept(), name, "no row breaks a rule")
		})
	}
	t.Logf("%d of %d found; not found:", len(found), len(found)+len(missed))
	for _, name := range missed {
		t.Logf("%s: %s", name, cmp.Or(unswept()[name], "the reason was not examined"))
	}
}

// sweptMutants returns the releases of each mutant, with the options of its scenario's servers, by the
// name of its scenario and its own: some mutants do harm only where a gate is off, or on in one
// release alone, which neither lap plays by itself.
func sweptMutants(t *testing.T) map[string]request.Ends {
	t.Helper()
	pairs := map[string]request.Ends{}
	for _, s := range frobberScenarios(t) {
		for _, mutant := range s.MutantNames() {
			old, newer, err := servers.ParsePair(s.Releases.Pair)
			require.NoError(t, err)
			pair := old.String() + ".." + newer.Version
			if s.Mutants[mutant].Of == term.Old || old == newer {
				pair = old.String() + "+" + mutant + ".." + newer.Version
			}
			if s.Mutants[mutant].Of != term.Old { // one release with other options is wrong before and after
				pair += "+" + mutant
			}
			pairs[s.Name+"+"+mutant] = request.Ends{Pair: pair, Options: request.Options{Old: serverOptionsOf(s.Old), New: serverOptionsOf(s.New)}}
		}
	}
	return pairs
}

// serverOptionsOf returns the options of a scenario's servers as a user gives them to a sweep.
func serverOptionsOf(o scenarios.Options) request.ServerOptions {
	return request.ServerOptions{
		FeatureGates: switches(o.FeatureGates), RuntimeConfig: switches(o.RuntimeConfig), EmulatedVersion: o.EmulatedVersion, Flags: o.Flags,
	}
}

func switches(of map[string]bool) map[string]string {
	all := map[string]string{}
	for name, on := range of {
		all[name] = strconv.FormatBool(on)
	}
	return all
}

// TestNightlySweepRight: in right releases whose scenarios expect no violation, no row breaks a
// rule.
func TestNightlySweepRight(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	withFrobber(t)
	violated := map[string]bool{}
	for _, s := range frobberScenarios(t) {
		violated[s.Releases.Pair] = violated[s.Releases.Pair] || s.ExpectsViolation() > 0
	}
	maps.DeleteFunc(violated, func(_ string, is bool) bool { return is })
	for _, pair := range tiers.Shard(t, slices.Sorted(maps.Keys(violated))) {
		t.Run(pair, func(t *testing.T) { assert.Empty(t, breaking(swept(t, request.Ends{Pair: pair}, scope.Scope{}))) })
	}
}

// swept sweeps a part of the comparison of a pair in this process.
func swept(t *testing.T, ends request.Ends, part scope.Scope) sweep.Result {
	t.Helper()
	var said bytes.Buffer
	a := &app.App{Out: &said, Err: &said}
	r := session.Request{Ends: ends, Scope: part, Dir: filepath.Join(t.TempDir(), "sweep"), Timeout: 10 * time.Minute, Command: "skewsim sweep " + ends.Pair}
	result, err := session.Run(t.Context(), sweepHost(a, reports.SweepOptions{}), r)
	require.NoError(t, err, said.String())
	return result
}

// breaking returns the rows of which a cell breaks a rule.
func breaking(r sweep.Result) (ids []string) {
	for _, row := range r.Rows {
		if slices.ContainsFunc(row.Laps, func(o sweep.Outcome) bool { return o.Broken > 0 }) {
			ids = append(ids, row.ID)
		}
	}
	return ids
}
