package main

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/play"
)

// unswept are mutants that a sweep is not expected to find, with the reasons as the mutants' code has
// them. It must find every other one: in values of fields that both releases publish, in conversions
// between versions, in validation that no schema states, and in fields that depend on others.
func unswept() map[string]string {
	const (
		noAnnotation = "no release publishes the annotations that it reads"
		promised     = "only a scenario says which answer is right: the old release cannot be asked the same"
	)
	return map[string]string{
		"alpha-version+unparked":   noAnnotation,
		"annotation+status":        noAnnotation,
		"expressive+apart":         "the old release has no second field to compare with: only a scenario's related says that they are one",
		"plural+alone":             promised,
		"plural+unchecked":         promised,
		"plural+omits":             "rule-6 expects that an old client loses a new field: only a scenario says that the new release keeps it",
		"prefix-real+both":         promised,
		"promoted+drift":           noAnnotation,
		"promoted+guard":           noAnnotation,
		"policy-reader+closed":     "it is about clients that skip releases; no value that both servers treat differently was tried",
		"field-labels+labels":      "no release publishes the fields that a LIST selects by",
		"field-labels+unlabels":    "no release publishes the fields that a LIST selects by",
		"union+closed":             "the old release does not have the union",
		"union-grown+both":         "combinations of fields are not played, and it is about two members at once",
		"gate-emulated+early":      "its finding is an impact of emulation, and breaks no rule",
		"gate-stable+forgotten":    "the new release drops the field from all that is created, so no object holds it",
		"glow+early":               "the new release drops the field from all that is created, so no object holds it",
		"glow-off+unvalidated":     "no release publishes the rule of the gated field, and no value was tried that it refuses",
		"plural+remembers":         "it needs a change of the old field after the new one was set, and a sweep changes labels",
		"plural-versions+new-only": "the new release does not keep a list of two elements, so the object that is played has one",
	}
}

// TestNightlySweepMutants: a sweep finds a broken rule in mutants that it knows nothing of. A mutant
// that it misses fails the test, unless unswept has the reason. The test prints how many it finds.
func TestNightlySweepMutants(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	withFrobber(t)
	mutants := sweptMutants(t)
	var found, missed []string
	for _, name := range tiers.Shard(t, slices.Sorted(maps.Keys(mutants))) {
		t.Run(name, func(t *testing.T) {
			if len(breaking(swept(t, mutants[name], sweep.Scope{}))) > 0 {
				found = append(found, name)
				assert.Empty(t, unswept()[name], "a row breaks a rule: the mutant leaves the list")
				return
			}
			missed = append(missed, name)
			assert.NotEmpty(t, unswept()[name], "no row breaks a rule, and no reason is known")
		})
	}
	t.Logf("%d of %d found; not found:", len(found), len(found)+len(missed))
	for _, name := range missed {
		t.Logf("%s: %s", name, unswept()[name])
	}
}

// sweptMutants returns the releases of each mutant, with the options of its scenario's servers, by the
// name of its scenario and its own: some mutants do harm only where a gate is off, or on in one
// release alone, which neither lap plays by itself.
func sweptMutants(t *testing.T) map[string]engine.Ends {
	t.Helper()
	pairs := map[string]engine.Ends{}
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
			pairs[s.Name+"+"+mutant] = engine.Ends{Pair: pair, Options: engine.Options{Old: serverOptionsOf(s.Old), New: serverOptionsOf(s.New)}}
		}
	}
	return pairs
}

// serverOptionsOf returns the options of a scenario's servers as a user gives them to a sweep.
func serverOptionsOf(o scenarios.Options) engine.ServerOptions {
	return engine.ServerOptions{
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

// beyondScenarios are right releases with the fields in which a sweep finds more than their scenarios
// ask, with the reasons.
func beyondScenarios() map[string]string {
	return map[string]string{
		"frobber@1.25..1.26 .status.area":       "the sweep's plain objects have alphaSpin, which 1.26 ignores; those of the scenario have none",
		"frobber@1.8..1.11 .spec.restartPolicy": "the scenario ends with the upgrade, and 1.8 refuses the new value after a rollback",
	}
}

// TestNightlySweepRight: in right releases whose scenarios expect no violation, no row breaks a
// rule, unless beyondScenarios has the reason.
func TestNightlySweepRight(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	withFrobber(t)
	violated := map[string]bool{}
	for _, s := range frobberScenarios(t) {
		violated[s.Releases.Pair] = violated[s.Releases.Pair] || s.ExpectsViolation() > 0
	}
	maps.DeleteFunc(violated, func(_ string, is bool) bool { return is })
	for _, pair := range tiers.Shard(t, slices.Sorted(maps.Keys(violated))) {
		t.Run(pair, func(t *testing.T) {
			r := swept(t, engine.Ends{Pair: pair}, sweep.Scope{})
			r.Rows = slices.DeleteFunc(r.Rows, func(row sweep.Row) bool { return beyondScenarios()[pair+" "+row.Path] != "" })
			assert.Empty(t, breaking(r))
		})
	}
}

// swept sweeps a part of the comparison of a pair in this process.
func swept(t *testing.T, ends engine.Ends, part sweep.Scope) sweep.Result {
	t.Helper()
	var said bytes.Buffer
	a := &App{Out: &said, Err: &said}
	r := play.Request{Ends: ends, Scope: part, Dir: filepath.Join(t.TempDir(), "sweep"), Timeout: 10 * time.Minute, Command: "skewsim sweep " + ends.Pair}
	result, err := play.Run(t.Context(), sweepHost(a, reports.SweepOptions{}), r)
	require.NoError(t, err, said.String())
	return result
}

// breaking returns the rows of which a cell breaks a rule.
func breaking(r sweep.Result) (ids []string) {
	for _, row := range r.Rows {
		if slices.ContainsFunc(row.Laps, func(o sweep.LapResult) bool { return o.Broken > 0 }) {
			ids = append(ids, row.ID)
		}
	}
	return ids
}
