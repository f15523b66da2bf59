package oracletest

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Run is a run that a test writes, call by call. Its replicas a and b do what real servers do:
// they decode with their release's types, so drop what these lack, and store what is left. After
// each write, both are read, as in a real run.
type Run struct{ Store }

// The versions of the releases.
const (
	OldVersion = "v1.0.0"
	NewVersion = "v2.0.0"
)

// NewRun begins a run at stage old. Its journey is upgrade, rollback, upgrade if none is given.
func NewRun(t testing.TB, journey ...term.Rollout) *Run {
	if len(journey) == 0 {
		journey = []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}
	}
	run := OfHistory(t, &history.History{
		Releases: map[term.Role]history.Release{
			term.Old: {Role: term.Old, Version: OldVersion, Resources: Resources()},
			term.New: {Role: term.New, Version: NewVersion, Resources: Resources()},
		},
		Blobs: map[string]history.Blob{}, End: &history.End{Outcome: history.Finished},
	}, schemas(t))
	run.History.Header.Salt = "salt"
	run.History.Header.Plan = plan.Plan{Scenario: "story", Replicas: []string{"a", "b"}, Journey: journey, Manifests: map[string]plan.Manifest{
		"widget": {APIVersion: "example.dev/v1", Kind: "Widget"}, "gadget": {APIVersion: "example.dev/v1", Kind: "Gadget"},
		"secret": {APIVersion: "v1", Kind: "Secret"},
	}}
	run.Stored, run.Revisions, run.Head = map[string]Object{}, map[string]int64{}, 10
	run.Stage("old", term.Old, term.Old)
	return run
}

// OfHistory returns a run that was recorded elsewhere, for a test to edit: nothing is stored in it.
func OfHistory(t testing.TB, h *history.History, schemas oracle.Schemas) *Run {
	return &Run{Store{Servers: Servers{Recording: Recording{T: t, History: h}, Schemas: schemas}}}
}

// Resources returns the kinds that both releases serve.
func Resources() []history.Resource {
	return []history.Resource{
		{APIVersion: "example.dev/v1", Kind: "Widget", Subresources: []string{"status"}},
		{APIVersion: "example.dev/v1", Kind: "Gadget"}, {APIVersion: "v1", Kind: "Secret"},
	}
}

// Stage begins a stage in which a and b run these releases.
func (run *Run) Stage(name string, a, b term.Role) {
	run.Serving = map[string]term.Role{"a": a, "b": b}
	run.History.Header.Plan.Stages = append(run.History.Header.Plan.Stages, plan.Stage{Name: name, Replicas: []plan.ReplicaStage{{Replica: "a", Role: a}, {Replica: "b", Role: b}}})
	run.Step(plan.Step{Action: plan.Replace, Replica: "a", Role: a})
}

// Emulate has the new release's servers emulate a version.
func (run *Run) Emulate(version string) *Run {
	run.History.Header.Plan.Releases = []plan.Release{
		{Role: term.Old, Reference: "widget@" + OldVersion},
		{Role: term.New, Reference: "widget@" + NewVersion, Options: scenarios.Options{EmulatedVersion: version}},
	}
	return run
}

// Judge judges the run as it is now.
func (run *Run) Judge() (result.Result, result.Ledger) {
	return oracle.Judge(run.History, run.Schemas)
}

// Result judges the run as it is now, for tests that need no ledger.
func (run *Run) Result() result.Result {
	res, _ := run.Judge()
	return res
}
