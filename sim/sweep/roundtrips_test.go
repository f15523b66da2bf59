package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
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
	assert.True(t, own.Filled && own.Alone && own.isForPairs() && pairs[1].isShownBy(own))
	assert.True(t, baseline.Baseline() && pairs[0].isShownBy(baseline))
	assert.False(t, pairs[0].isShownBy(own) || pairs[1].isShownBy(baseline))
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

const thirdVersion = "example.dev/v3"

// roundTrip is a lap with an object in the first version. One copy is written in its own version, and one in each of two
// others through the new release; of a baseline, one control is in the second version through the old release.
func roundTrip(target Target, code int, findings ...result.Finding) Lap {
	target.ID = "thing"
	step := func(number int, name string, role term.Role, version string) plan.Step {
		return plan.Step{Number: number, Action: plan.Operate, Verb: term.Put, Client: term.Dynamic, ViaRole: role, Object: "thing", Copy: name, APIVersion: version, Change: &plan.Change{Kind: plan.Label}}
	}
	p := plan.Plan{Stages: []plan.Stage{
		{Name: StageOld, Steps: []plan.Step{step(1, "control", term.Old, secondVersion)}},
		{Name: StageMixed, Steps: []plan.Step{step(2, "own", term.New, ""), step(3, "second", term.New, secondVersion), step(4, "third", term.New, thirdVersion)}},
	}}
	copyOf := func(name string, role term.CopyRole, number, code int) result.CopyLedger {
		return result.CopyLedger{Copy: name, Object: "thing", Role: role, Rows: []result.Row{{Step: number, Requests: []result.Request{{Code: code, Message: "no"}}, Stored: &result.Stored{Revision: 1}}}}
	}
	ledger := result.Ledger{Copies: []result.CopyLedger{copyOf("own", term.Bystander, 2, 200), copyOf("second", term.Bystander, 3, code), copyOf("third", term.Bystander, 4, code)}}
	if target.Baseline() {
		ledger.Copies = append(ledger.Copies, copyOf("control", term.Control, 1, 200))
	}
	for i := range findings {
		findings[i].Object, findings[i].Class, findings[i].Stage, findings[i].Via = "thing", term.Violation, StageMixed, term.New
	}
	pair := func(through string) Pair {
		return Pair{Kind: Kind{target.APIVersion, target.Kind}, Through: through, Alone: !target.Baseline()}
	}
	return Lap{
		Lap: term.DefaultLap, Settings: Settings{Releases: scenarios.Releases{Of: scenarios.ManifestComponent}},
		Objects:  []Object{{Target: target, Specimen: try.Specimen{Target: target.Target, Object: map[string]any{"apiVersion": firstVersion, "kind": "Thing"}}}},
		Evidence: []Evidence{EvidenceOf(&p, result.Result{Findings: findings}, ledger)},
		Pairs:    []Pair{pair(secondVersion), pair(thirdVersion)},
	}
}

// effectsIn are the effects of a lap's rows, by ID.
func effectsIn(given []Row, lap Lap) map[string]term.Effect {
	all := map[string]term.Effect{}
	for _, r := range Rows(given, []Lap{lap}) {
		all[r.ID] = r.Effect
	}
	return all
}

// TestRoundTrips: what a copy loses that was written in another version, and no copy that was written in its own version alone,
// is a row of the pair and the field; where there is none, the pair has one row. So it is of the object of a version that only
// the new release serves, whose own row explains nothing of it. Near twins: a loss that any write has is of no pair, and what
// servers refuse, or a run that ended early does not read, shows nothing of what is kept.
func TestRoundTrips(t *testing.T) {
	on := func(name string, step int, path string) result.Finding {
		return result.Finding{Copy: name, Path: path, Outcome: term.Lost, Cause: term.Converted, Step: step, Before: "1"}
	}
	const pair, lost = "round-trip/example.dev/v1/Thing", "lost"
	kept, never, gone := term.Kept.Effect(), term.NotExercised.Effect(), term.Effect{Outcome: term.Lost}
	baseline := baselineOf(firstVersion, "Thing")
	alone := Target{Release: term.New, Form: term.Treated, Alone: true, Rows: []string{Pair{Kind: thingIn(firstVersion), Through: secondVersion}.row("", "").ID}}
	alone.APIVersion, alone.Kind = firstVersion, "Thing"
	added := diff.Difference{Difference: term.VersionAdded, Group: "example.dev", Version: "v1", Kind: "Thing", Playable: true, Places: []diff.Place{{APIVersion: firstVersion, Kind: "Thing"}}}
	given := []Row{{ID: RowID(added), Difference: added}}
	for name, target := range map[string]Target{"baseline": baseline, "alone": alone} {
		effectsOf := func(lap Lap) map[string]term.Effect {
			all := effectsIn(given, lap)
			delete(all, RowID(added))
			return all
		}
		assert.Equal(t, map[string]term.Effect{pair + "/v2": kept, pair + "/v3": kept}, effectsOf(roundTrip(target, 200)), name)
		assert.Equal(t, map[string]term.Effect{pair + "/.spec.size/v2/" + lost: gone, pair + "/v3": kept}, effectsOf(roundTrip(target, 200, on("second", 3, ".spec.size"))), name)
		assert.Equal(t, map[string]term.Effect{pair + "/v2/" + lost: gone, pair + "/v3": kept}, effectsOf(roundTrip(target, 200, on("second", 3, ""))), "%s, the whole object", name)
		assert.Equal(t, map[string]term.Effect{pair + "/.spec.size/v2/" + lost: gone, pair + "/.spec.size/v3/" + lost: gone},
			effectsOf(roundTrip(target, 200, on("second", 3, ".spec.size"), on("third", 4, ".spec.size"))), "%s, in both others", name)
		every := effectsOf(roundTrip(target, 200, on("own", 2, ".spec.size"), on("second", 3, ".spec.size"), on("third", 4, ".spec.size")))
		assert.Equal(t, gone, every["behaviour-changed/example.dev/v1/Thing/.spec.size/"+lost], "%s, every write", name)
		assert.Equal(t, never, every[pair+"/v3"], name)
		refused := roundTrip(target, 500)
		refused.Evidence[0].Controls = nil
		assert.Equal(t, map[string]term.Effect{pair + "/v2": never, pair + "/v3": never}, effectsOf(refused), name)
		cut := roundTrip(target, 200)
		cut.Evidence[0].IsPart = true
		assert.Equal(t, map[string]term.Effect{pair + "/v2": never, pair + "/v3": never}, effectsOf(cut), name)
	}

	rows := Rows(nil, []Lap{roundTrip(baseline, 200)})
	assert.Len(t, rows[0].Cells, 2, "through the webhook of each release")
	totals := Summarize(Result{Rows: rows}, nil).Totals
	assert.Equal(t, &Fraction{2, 2}, totals.VersionPairs)
	assert.Zero(t, totals.Shown+totals.Differences)
	totals = Summarize(Result{Rows: Rows(nil, []Lap{roundTrip(baseline, 200, on("second", 3, ".a"), on("second", 3, ".b"))})}, nil).Totals
	assert.Equal(t, &Fraction{2, 2}, totals.VersionPairs)
	assert.Equal(t, 2, totals.Shown)
	none := Rows(nil, []Lap{{Lap: term.DefaultLap, Pairs: []Pair{{Kind: thingIn(firstVersion), Through: secondVersion}}}})
	require.Len(t, none, 1)
	assert.Contains(t, none[0].Reason, "--kind")
}
