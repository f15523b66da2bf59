package sweep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
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
		{APIVersion: firstVersion, Kind: "Thing", Conversion: byWebhook, Subresources: []string{term.StatusPart}}, resource(secondVersion, "Thing", byWebhook), resource("example.dev/v3", "Thing", byWebhook),
		resource(firstVersion, "Plain", "None"), resource(secondVersion, "Plain", "None"),
	}}
	served := map[term.Role][]Kind{
		term.Old: {thingIn(firstVersion)},
		term.New: {thingIn(firstVersion), thingIn(secondVersion), {firstVersion, "Plain"}, {secondVersion, "Plain"}},
	}
	assert.Equal(t, []Pair{
		{Kind: thingIn(firstVersion), Through: secondVersion, HasStatus: true},
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

// playedIn are the calls of lines that use another version, or write a status, as release, verb, version and stages.
func playedIn(lines []scenarios.Line) (all []string) {
	for _, l := range lines {
		if len(l.APIVersion) > 0 || l.Subresource != "" {
			all = append(all, fmt.Sprint(l.Via, l.Verb, l.APIVersion, l.At, strings.HasSuffix(l.Touch+l.Set, OfferedSuffix)))
		}
		all = append(all, playedIn(l.Then)...)
	}
	return all
}

// TestBothProgramsConvert: an object of a pair is also created through the new release and written there in the other
// version, and a status is written through each release. Near twins: a kind that no webhook converts, a pair without a
// status, and one whose kind is not played.
func TestBothProgramsConvert(t *testing.T) {
	stored := []Kind{thingIn(firstVersion)}
	served := map[term.Role][]Kind{term.Old: stored, term.New: {thingIn(firstVersion), thingIn(secondVersion)}}
	targets := func(pair Pair, stored []Kind) (of []Target) {
		pair.Kind, pair.Through = thingIn(firstVersion), secondVersion
		return Targets(nil, term.DefaultLap, Options{Pairs: []Pair{pair}, Stored: stored, Served: served})
	}
	all := targets(Pair{HasStatus: true}, stored)
	require.Len(t, all, 2)
	assert.Equal(t, []string{"[new] [put] [example.dev/v2] [new] false", "[new] [put] [example.dev/v2] [new] true"}, playedIn(treatments(Object{Target: all[0]}, true)))
	status := Object{Target: all[1], Specimen: try.Specimen{Subresource: term.StatusPart, Object: map[string]any{"status": map[string]any{"ready": true}}}}
	assert.Equal(t, []string{
		"[old] [put] [] [old] false", "[new] [put] [example.dev/v2] [new] false",
		"[old] [put] [] [old] false",
		"[new] [put] [] [new] true", "[new] [put status-put] [example.dev/v2] [] true",
	}, playedIn(treatments(status, true)))

	served[term.Old] = served[term.New]
	both := targets(Pair{HasStatus: true}, stored)
	status.Target = both[1]
	assert.Contains(t, playedIn(treatments(status, true)), "[old] [put status-put] [example.dev/v2] [] false", "the old release serves the other version too")
	served[term.Old] = stored

	plain := Targets(nil, term.DefaultLap, Options{Stored: stored, Served: served})
	require.Len(t, plain, 1)
	assert.Equal(t, []string{"[new] [put] [example.dev/v2] [new] false"}, playedIn(treatments(Object{Target: plain[0]}, true)), "no webhook converts it")
	assert.Len(t, targets(Pair{}, stored), 1, "no status")
	assert.Empty(t, targets(Pair{HasStatus: true}, nil), "too many kinds")
	alone := targets(Pair{HasStatus: true, Alone: true}, nil)
	require.Len(t, alone, 2)
	status.Target = alone[1]
	assert.Equal(t, []string{"[new] [put] [] [new] false", "[new] [put status-put] [example.dev/v2] [] false"}, playedIn(treatments(status, true)))
}

const thirdVersion = "example.dev/v3"

// roundTrip is a lap with an object in the first version. One copy is written in its own version, and one in each of two
// others through the new release; of a baseline, one control is in the second version through the old release.
func roundTrip(target Target, code int, findings ...result.Finding) Lap {
	target.ID = "thing"
	creator := term.New // what a pair's own objects are created through
	step := func(number int, name string, role term.Role, version string) plan.Step {
		return plan.Step{Number: number, Action: plan.Operate, Verb: term.Put, Client: term.Dynamic, ViaRole: role, Object: "thing", Copy: name, APIVersion: version, Change: &plan.Change{Kind: plan.Label}}
	}
	born := func(number int, name string, role term.Role) plan.Step {
		return plan.Step{Number: number, Action: plan.Operate, Verb: term.Create, Birth: true, Client: term.Dynamic, ViaRole: role, Object: "thing", Copy: name}
	}
	p := plan.Plan{Stages: []plan.Stage{
		{Name: StageOld, Steps: []plan.Step{step(1, "control", term.Old, secondVersion), born(10, "control", term.Old), born(11, "second", creator), born(12, "third", creator)}},
		{Name: StageMixed, Steps: []plan.Step{step(2, "own", term.New, ""), step(3, "second", term.New, secondVersion), step(4, "third", term.New, thirdVersion)}},
	}}
	copyOf := func(name string, role term.CopyRole, number, code int) result.CopyLedger {
		rows := []result.Row{{Step: number, Requests: []result.Request{{Code: code, Message: "no"}}, Stored: &result.Stored{Revision: 1}}}
		for _, create := range p.Stages[0].Steps {
			if create.Birth && create.Copy == name {
				rows = append([]result.Row{{Step: create.Number, Requests: []result.Request{{Code: 201}}}}, rows...)
			}
		}
		return result.CopyLedger{Copy: name, Object: "thing", Role: role, Rows: rows}
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
	with := roundTrip(baseline, 200).Evidence[0].Copies["own"]
	with.writes = append(with.writes, write{code: 200, Step: plan.Step{Number: 3, Verb: term.StatusPut}})
	assert.Equal(t, []string{"", ", with a status"}, []string{with.withStatus(2), with.withStatus(3)})
	none := Rows(nil, []Lap{{Lap: term.DefaultLap, Pairs: []Pair{{Kind: thingIn(firstVersion), Through: secondVersion}}}})
	require.Len(t, none, 1)
	assert.Contains(t, none[0].Reason, "--kind")
}

// TestUnexercised: a release that no copy was both created and written through has a cell that says so, whatever a copy of
// the other release shows. Near twin: a pair that the old release does not serve.
func TestUnexercised(t *testing.T) {
	cells := func(lap Lap) (all []string) {
		for _, c := range Rows(nil, []Lap{lap})[0].Cells {
			all = append(all, fmt.Sprintf("%s %s", c.Outcome, c.Write))
		}
		return all
	}
	const put, whole = "put of a label through the ", "create and put of a label through the "
	lap := roundTrip(baselineOf(firstVersion, "Thing"), 200)
	assert.Equal(t, []string{"kept " + put + "old release", "kept " + put + "new release"}, cells(lap))
	for name := range lap.Evidence[0].Copies {
		c := lap.Evidence[0].Copies[name]
		for i := range c.writes {
			if c.writes[i].Birth {
				c.writes[i].ViaRole = term.Old
			}
		}
	}
	assert.Equal(t, []string{"kept " + put + "old release", "kept " + put + "new release", "not-exercised " + whole + "new release"}, cells(lap))
	row := Rows(nil, []Lap{lap})[0]
	assert.Equal(t, term.Kept.Effect(), row.Effect)
	lap.Evidence[0].Controls = nil
	for i := range lap.Pairs {
		lap.Pairs[i].Alone = true
	}
	assert.Equal(t, []string{"kept " + put + "new release", "not-exercised " + whole + "new release"}, cells(lap))
}

// TestNotesOfPairs: a pair that is kept has notes on what every write of its kind loses by conversion, and on a status that no
// object has. Near twins: a loss with another cause, and a kind without a status.
func TestNotesOfPairs(t *testing.T) {
	notes := func(cause term.Cause, hasStatus bool) []string {
		lap := roundTrip(baselineOf(firstVersion, "Thing"), 200, result.Finding{Copy: "own", Path: ".spec.size", Outcome: term.Lost, Cause: cause, Step: 2})
		for i := range lap.Pairs {
			lap.Pairs[i].HasStatus = hasStatus
		}
		for _, r := range Rows(nil, []Lap{lap}) {
			if r.Difference.Difference == term.RoundTrip {
				return r.Notes
			}
		}
		return nil
	}
	assert.Len(t, notes(term.Converted, false), 1)
	assert.Len(t, notes(term.Converted, true), 2)
	assert.Empty(t, notes(term.Pruned, false))
}

// TestOfferedPairs: what the copy loses that the new release itself created is a row of the pair, and what the old
// definitions lose of the object while the new program runs is not the same. Near twins: that the release refuses to create
// the copy, and that it drops a part of the condition that skewsim writes.
func TestOfferedPairs(t *testing.T) {
	target := baselineOf(firstVersion, "Thing")
	target.Paired = true
	rows := func(findings ...result.Finding) map[string]term.Effect {
		lap := roundTrip(target, 200, findings...)
		for i := range lap.Evidence[0].Findings {
			if f := &lap.Evidence[0].Findings[i]; f.Copy == "second" {
				f.Object += OfferedSuffix
			} else {
				f.Stage = "forgotten"
			}
		}
		second := lap.Evidence[0].Copies["second"]
		second.object += OfferedSuffix
		lap.Evidence[0].Copies["second"] = second
		all := effectsIn(nil, lap)
		delete(all, "round-trip/example.dev/v1/Thing/v3")
		return all
	}
	const pair = "round-trip/example.dev/v1/Thing"
	lost := result.Finding{Copy: "second", Path: ".spec.size", Outcome: term.Lost, Cause: term.Converted, Step: 3}
	gone := term.Lost.Effect()
	assert.Equal(t, map[string]term.Effect{pair + "/.spec.size/v2/lost": gone}, rows(lost))
	other := lost
	other.Copy, other.Step = "own", 2
	assert.Equal(t, map[string]term.Effect{pair + "/.spec.size/v2/lost": gone, "behaviour-changed/example.dev/v1/Thing/.spec.size/lost": gone}, rows(lost, other))
	assert.Equal(t, map[string]term.Effect{pair + "/v2": term.Kept.Effect()}, rows(result.Finding{Copy: "second", Outcome: term.Refused, Verb: term.Create, Step: 3}))
	assert.Equal(t, map[string]term.Effect{pair + "/v2": term.Kept.Effect()},
		rows(result.Finding{Copy: "second", Path: path.String(plan.ConditionPath()) + ".message", Outcome: term.Dropped, Step: 3}))
}

// TestThroughWords: a cell names the definitions and the program where they are of two releases.
func TestThroughWords(t *testing.T) {
	assert.Equal(t, "through the old release", throughWords(term.Old, ""))
	assert.Equal(t, "through the old release", throughWords(term.Old, term.Old))
	assert.Equal(t, "through the old definitions with the new program", throughWords(term.Old, term.New))
	p := plan.Plan{Stages: []plan.Stage{
		{Name: StageOld, Steps: []plan.Step{{Action: plan.Program, Role: term.Old}}},
		{Name: "forgotten", Steps: []plan.Step{{Action: plan.Program, Role: term.New}, {Number: 2, Action: plan.Operate, Verb: term.Put, ViaRole: term.Old}}},
	}}
	assert.Equal(t, "put of the object through the old definitions with the new program", operations(&p)[2].words())
}

// TestUnfitCondition: that a server drops a part of the condition which skewsim writes is nobody's loss. Near twins: a
// condition of the object, and one that is lost later.
func TestUnfitCondition(t *testing.T) {
	own := path.String(plan.ConditionPath())
	assert.True(t, isUnfitCondition(result.Finding{Path: own + ".message", Outcome: term.Dropped}))
	assert.False(t, isUnfitCondition(result.Finding{Path: `.status.conditions[type="Ready"].message`, Outcome: term.Dropped}))
	assert.False(t, isUnfitCondition(result.Finding{Path: own, Outcome: term.Lost}))
}
