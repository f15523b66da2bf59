package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
)

const (
	firstVersion  = "example.dev/v1"
	secondVersion = "example.dev/v2"
)

func thingIn(version string) Kind { return Kind{APIVersion: version, Kind: "Thing"} }

// TestPairsOf: each version that the new release serves and a webhook converts is paired with each other one. Near
// twins: a kind that no webhook converts, and a version that is not served.
func TestPairsOf(t *testing.T) {
	resource := func(version, kind, conversion string) published.Resource {
		return published.Resource{APIVersion: version, Kind: kind, Conversion: conversion}
	}
	release := published.Release{Resources: []published.Resource{
		resource(firstVersion, "Thing", byWebhook), resource(secondVersion, "Thing", byWebhook), resource("example.dev/v3", "Thing", byWebhook),
		resource(firstVersion, "Plain", "None"), resource(secondVersion, "Plain", "None"),
	}}
	served := map[term.Role][]Kind{
		term.Old: {thingIn(firstVersion)},
		term.New: {thingIn(firstVersion), thingIn(secondVersion), {firstVersion, "Plain"}, {secondVersion, "Plain"}},
	}
	assert.Equal(t, []Pair{
		{Kind: thingIn(firstVersion), Through: secondVersion},
		{Kind: thingIn(secondVersion), Through: firstVersion, Alone: true},
	}, PairsOf(release, served))
}

// TestTargetsOfPairs: a version that only the new release serves has an object of its own, which is written in the
// other versions. Near twin: what both releases serve has a baseline.
func TestTargetsOfPairs(t *testing.T) {
	pairs := []Pair{{Kind: thingIn(firstVersion), Through: secondVersion}, {Kind: thingIn(secondVersion), Through: firstVersion, Alone: true}}
	all := Targets(nil, term.DefaultLap, Options{
		Pairs: pairs, Stored: []Kind{thingIn(firstVersion)},
		Served: map[term.Role][]Kind{term.Old: {thingIn(firstVersion)}, term.New: {thingIn(firstVersion), thingIn(secondVersion)}},
	})
	require.Len(t, all, 2)
	own, baseline := all[0], all[1]
	assert.Equal(t, secondVersion, own.APIVersion)
	assert.True(t, own.Filled && own.Alone && own.isOfPair() && pairs[1].isOf(own))
	assert.True(t, baseline.Baseline() && pairs[0].isOf(baseline))
	assert.False(t, pairs[0].isOf(own) || pairs[1].isOf(baseline))
	written := func(target Target) (versions []string) {
		for _, l := range treatments(Object{Target: target}, true) {
			versions = append(versions, l.APIVersion...)
		}
		return versions
	}
	assert.Equal(t, []string{firstVersion}, written(own))
	own.Rows = []string{"version-added/" + secondVersion + "/Thing"}
	assert.Empty(t, written(own), "the object of the version's own row")
}

// roundTrip is a lap with a baseline in the first version, of which one copy is written in the second version
// through the new release, one in its own, and one control in the second version through the old release.
func roundTrip(code int, findings ...result.Finding) Lap {
	target := baselineOf(firstVersion, "Thing")
	target.ID = "thing"
	step := func(number int, name string, role term.Role, version string) plan.Step {
		return plan.Step{Number: number, Action: plan.Operate, Verb: term.Put, Client: term.Dynamic, ViaRole: role, Object: "thing", Copy: name, APIVersion: version, Change: &plan.Change{Kind: plan.Label}}
	}
	p := plan.Plan{Stages: []plan.Stage{
		{Name: StageOld, Steps: []plan.Step{step(1, "control", term.Old, secondVersion)}},
		{Name: StageMixed, Steps: []plan.Step{step(2, "own", term.New, ""), step(3, "other", term.New, secondVersion)}},
	}}
	copyOf := func(name string, role term.CopyRole, number, code int) result.CopyLedger {
		return result.CopyLedger{Copy: name, Object: "thing", Role: role, Rows: []result.Row{{Step: number, Requests: []result.Request{{Code: code}}, Stored: &result.Stored{Revision: 1}}}}
	}
	ledger := result.Ledger{Copies: []result.CopyLedger{copyOf("control", term.Control, 1, 200), copyOf("own", term.Bystander, 2, 200), copyOf("other", term.Bystander, 3, code)}}
	for i := range findings {
		findings[i].Object, findings[i].Class = "thing", term.Violation
	}
	return Lap{
		Lap: term.DefaultLap, Settings: Settings{Releases: scenarios.Releases{Of: scenarios.ManifestComponent}},
		Objects:  []Object{{Target: target, Specimen: try.Specimen{Target: target.Target, Object: map[string]any{"apiVersion": firstVersion, "kind": "Thing"}}}},
		Evidence: []Evidence{EvidenceOf(&p, result.Result{Findings: findings}, ledger)},
		Pairs:    []Pair{{Kind: thingIn(firstVersion), Through: secondVersion}},
	}
}

// TestRoundTrips: what a copy alone loses that was written in another version is a row of the pair and the field;
// where there is none, the pair has one row, with the writes through the webhook of each release. Near twins: a
// loss that any write has is of no pair, and a webhook that refuses shows nothing of what is kept.
func TestRoundTrips(t *testing.T) {
	lost := func(copyName string, step int) result.Finding {
		return result.Finding{Copy: copyName, Path: ".spec.size", Outcome: term.Lost, Cause: term.Converted, Step: step, Stage: StageMixed, Via: term.New, Before: "1"}
	}
	const pair = "round-trip/example.dev/v1/Thing/v2"
	kept := Rows(nil, []Lap{roundTrip(200)})
	require.Len(t, kept, 1)
	assert.Equal(t, pair, kept[0].ID)
	assert.Equal(t, term.Kept.Effect(), kept[0].Effect)
	assert.Len(t, kept[0].Cells, 2, "through the webhook of each release")
	totals := Summarize(Result{Rows: kept}, nil).Totals
	assert.Equal(t, &Fraction{1, 1}, totals.VersionPairs)
	assert.Zero(t, totals.Shown+totals.Differences)

	rows := Rows(nil, []Lap{roundTrip(200, lost("other", 3))})
	require.Len(t, rows, 1)
	assert.Equal(t, "round-trip/example.dev/v1/Thing/.spec.size/v2/"+rows[0].Effect.String(), rows[0].ID)
	assert.Equal(t, term.Lost, rows[0].Outcome)
	assert.Equal(t, pair, rows[0].ofPair())
	assert.Equal(t, &Fraction{1, 1}, Summarize(Result{Rows: rows}, nil).Totals.VersionPairs)

	rows = Rows(nil, []Lap{roundTrip(200, lost("own", 2), lost("other", 3))})
	require.Len(t, rows, 2)
	assert.Equal(t, term.BehaviourChanged, rows[0].Difference.Difference)
	assert.Equal(t, pair, rows[1].ID)
	assert.Equal(t, term.Kept.Effect(), rows[1].Effect)
	assert.Len(t, rows[1].Notes, 1, "which says that there are rows of the kind")

	refused := roundTrip(500)
	refused.Evidence[0].Controls = nil
	rows = Rows(nil, []Lap{refused})
	require.Len(t, rows, 1)
	assert.Equal(t, term.NotExercised, rows[0].Outcome)
	assert.NotEmpty(t, rows[0].Reason)
}
