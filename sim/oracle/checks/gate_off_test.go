package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// waysIn are the calls that bring a new value in: each gets a copy that has none.
func waysIn() map[string]struct {
	path string
	play func(*oracletest.Run, oracletest.Option) int
} {
	into := func(verb func(*oracletest.Run, string, ...oracletest.Option) int, at string) func(*oracletest.Run, oracletest.Option) int {
		return func(run *oracletest.Run, through oracletest.Option) int {
			run.Create("treated-1", oracletest.PlainSpec)
			return verb(run, "treated-1", oracletest.Set(at, 5), through)
		}
	}
	return map[string]struct {
		path string
		play func(*oracletest.Run, oracletest.Option) int
	}{
		"create": {".spec.lustre", func(run *oracletest.Run, through oracletest.Option) int {
			return run.Create("treated-1", oracletest.LustreSpec, through)
		}},
		"put":   {".spec.lustre", into((*oracletest.Run).Put, ".spec.lustre")},
		"patch": {".spec.lustre", into((*oracletest.Run).Patch, ".spec.lustre")},
		"status patch": {".status.gleam", into(func(run *oracletest.Run, name string, all ...oracletest.Option) int {
			return run.PatchWith(term.StatusPatch, name, all)
		}, ".status.gleam")},
		"apply": {".spec.lustre", into(func(run *oracletest.Run, name string, all ...oracletest.Option) int {
			return run.PatchWith(term.Apply, name, all)
		}, ".spec.lustre")},
		"another API version": {".spec.lustre", into(func(run *oracletest.Run, name string, all ...oracletest.Option) int {
			for _, role := range []term.Role{term.Old, term.New} {
				run.PublishV2(role)
			}
			return run.NameVersion(run.Patch(name, all...), "example.dev/v2")
		}, ".spec.lustre")},
		"another subresource": {".spec.lustre", into(func(run *oracletest.Run, name string, all ...oracletest.Option) int {
			step := run.Patch(name, all...)
			run.PlannedStep(step).Subresource = "shine"
			return step
		}, ".spec.lustre")},
	}
}

// TestNewValueWhileTheGateIsOff: each way in by which a server takes a new value of a field
// whose gate is off is a finding; the same where the gate is on is not.
func TestNewValueWhileTheGateIsOff(t *testing.T) {
	for name, way := range waysIn() {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewGateOff(t, false)
			way.play(run, oracletest.Via("b"))
			run.Observe()
			res, _ := run.Judge()
			if assert.Len(t, res.Findings, 1) {
				f := res.Findings[0]
				assert.Equal(t, []any{term.CheckNothingLost, term.Violation, term.RuleLifecycle, term.Accepted, way.path, term.Old},
					[]any{f.Check, f.Class, f.Rule, f.Outcome, f.Path, f.Via}, f.Message)
			}
			run = oracletest.NewGateOff(t, true)
			way.play(run, oracletest.Via("b"))
			run.Observe()
			run.ExpectFindings()
			run = oracletest.NewGateOff(t, false)
			way.play(run, oracletest.Via("a"))
			run.Observe()
			run.ExpectFindings()
		})
	}
}

// TestGateThatACustomResourceNames: a definition often copies the description of a pod's field with the
// gate in it. No gate of the API server decides what it stores of a custom resource, and what is pruned is no
// gate's doing.
func TestGateThatACustomResourceNames(t *testing.T) {
	custom := func() *oracletest.Run {
		run := oracletest.NewGateOff(t, false)
		run.NamePlurals()
		for role, release := range run.History.Releases {
			release.Defines = []string{"widgets.example.dev"}
			run.History.Releases[role] = release
		}
		return run
	}
	for name, way := range waysIn() {
		t.Run(name, func(t *testing.T) {
			run := custom()
			way.play(run, oracletest.Via("b"))
			run.Observe()
			run.ExpectFindings()
		})
	}
	run := custom()
	run.Behave(term.Old, oracletest.Behaviour{Clear: func(now, _ oracletest.Object) { oracletest.With(".spec.lustre", nil)(t, now) }})
	run.Create("treated-1", oracletest.LustreSpec, oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed treated-1 .spec.lustre in step 3 (upgrading 1/2)`)
}

// TestValueThatWasThere: an object that has a value behind the gate may keep it and change it,
// and a server that clears the new one does as the rule says.
func TestValueThatWasThere(t *testing.T) {
	run := oracletest.NewGateOff(t, false)
	run.Create("treated-1", oracletest.LustreSpec)
	run.Put("treated-1", oracletest.ReadVia("b"), oracletest.Via("b"))
	run.Put("treated-1", oracletest.Set(".spec.lustre", 6), oracletest.Via("b"))
	run.Patch("treated-1", oracletest.Set(".spec.lustre", 7), oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings()

	run = oracletest.NewGateOff(t, false)
	run.Behave(term.Old, oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
		if was == nil || !oracletest.Has(t, was, ".spec.lustre") {
			oracletest.With(".spec.lustre", nil)(t, now)
		}
	}})
	run.Create("treated-1", oracletest.LustreSpec, oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings(`nothing-lost impact lifecycle dropped gate-disabled treated-1 .spec.lustre in step 3 (upgrading 1/2)`)
}

// TestOneOfSeveralGates: of several gates that one field names, one that is on is enough.
func TestOneOfSeveralGates(t *testing.T) {
	run := oracletest.NewGateOff(t, false)
	either := oracletest.Object{"type": "integer", "description": "requires enabling the Lustre feature gate, or requires enabling the Gloss feature gate."}
	for role, release := range run.History.Releases {
		run.Publish(role, oracletest.Object{"spec.properties.lustre": either})
		release.Gates = map[string]bool{"Lustre": false, "Gloss": true}
		run.History.Releases[role] = release
	}
	kind, _ := run.Schemas[term.Old].Kind("example.dev/v1", "Widget")
	assert.Len(t, kind.Gating().Guards(oracletest.Path(t, ".spec.lustre")), 2)
	run.Create("treated-1", oracletest.LustreSpec, oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings()
}
