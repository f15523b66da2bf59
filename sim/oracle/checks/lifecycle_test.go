package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// marked is a field with what its server publishes of how far it has come.
func marked(lifecycle any) oracletest.Object {
	of := oracletest.Scalar("integer")
	if lifecycle != nil {
		of[schema.LifecycleKey] = lifecycle
	}
	return of
}

// stage is a lifecycle as KEP-2558 has it.
func stage(status, gate string) oracletest.Object {
	says := oracletest.Object{"minVersion": "v1.2", "status": status}
	if gate != "" {
		says["featureGate"] = gate
	}
	return oracletest.Object{"widgets": says}
}

// abandons has a field that the old release has, with this lifecycle, and the
// new one has not any more: written over by the new release, by the old one after a
// read that hid it, and by a client of the new one; and sent to the new one.
func abandons(t *testing.T, lifecycle any) *oracletest.Run {
	run := oracletest.NewRun(t)
	run.Publish(term.Old, oracletest.Object{"spec.properties.gleam": marked(lifecycle)})
	const gleams = `{"colour": "Red", "gleam": 5}`
	run.Create("treated-1", gleams)
	run.Create("treated-2", gleams)
	run.Create("treated-3", gleams)
	run.Observe()
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Observe()
	run.Patch("treated-1", oracletest.Via("a"))
	run.Put("treated-2", oracletest.ReadVia("a"), oracletest.Via("b"))
	run.Put("treated-3", oracletest.ReadVia("b"), oracletest.Via("b"), oracletest.By(term.NewTyped))
	run.Create("treated-4", gleams, oracletest.Via("a"))
	run.Observe()
	return run.StoreAs(storage.JSON)
}

// TestAlphaIsAbandoned: what was published as a field that may go may go; the same
// of any other field is a violation, whatever else is said of it.
func TestAlphaIsAbandoned(t *testing.T) {
	for name, c := range map[string]struct {
		lifecycle any
		mayGo     bool
	}{
		"alpha":                    {stage("alpha", "Gleam"), true},
		"deprecated":               {stage("deprecated", ""), true},
		"of one of two components": {oracletest.Object{"a": oracletest.Object{"status": "alpha", "featureGate": "G"}, "b": oracletest.Object{"status": "beta"}}, false},
		"of both components":       {oracletest.Object{"a": oracletest.Object{"status": "alpha", "featureGate": "G"}, "b": oracletest.Object{"status": "deprecated"}}, true},
		"unmarked":                 {nil, false},
		"beta":                     {stage("beta", "Gleam"), false},
		"alpha without a gate":     {stage("alpha", ""), false},
		"something else":           {stage("stable", "Gleam"), false},
		"what is no lifecycle":     {"alpha", false},
		"a gate and no status":     {stage("", "Gleam"), false},
		"alpha, in another sense":  {oracletest.Object{"widgets": "alpha"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			lost, refused := "violation rule-2", "violation rule-3"
			if c.mayGo {
				lost, refused = "impact lifecycle", "impact lifecycle"
			}
			abandons(t, c.lifecycle).ExpectFindings(
				`nothing-lost `+lost+` lost unknown-field treated-1 .spec.gleam in step 8 (upgrading 1/2)`,
				`nothing-lost `+lost+` lost read-hidden treated-2 .spec.gleam in step 9 (upgrading 1/2)`,
				`nothing-lost `+lost+` lost client-omitted treated-3 .spec.gleam in step 10 (upgrading 1/2)`,
				`nothing-lost `+refused+` dropped unknown-field treated-4 .spec.gleam in step 11 (upgrading 1/2)`)
		})
	}
}

// TestAlphaAbove: what is below a field that may go may go with it, whatever is said
// of itself; what goes with one that may not go breaks a rule.
func TestAlphaAbove(t *testing.T) {
	for name, c := range map[string]struct {
		above, below any
		want         string
	}{
		"a beta below an alpha":        {stage("alpha", "Gleam"), stage("beta", "More"), "impact lifecycle"},
		"an alpha below a beta":        {stage("beta", "Gleam"), stage("alpha", "More"), "violation rule-2"}, // the beta goes
		"a beta below a beta":          {stage("beta", "Gleam"), stage("beta", "More"), "violation rule-2"},
		"one of two components, above": {oracletest.Object{"a": oracletest.Object{"status": "alpha", "featureGate": "G"}, "b": oracletest.Object{"status": "beta"}}, stage("beta", "More"), "violation rule-2"},
	} {
		t.Run(name, func(t *testing.T) {
			gleam := oracletest.Object{"type": "object", "properties": oracletest.Object{"much": marked(c.below)}, schema.LifecycleKey: c.above}
			run := oracletest.NewRun(t)
			run.Publish(term.Old, oracletest.Object{"spec.properties.gleam": gleam})
			run.Create("treated-1", `{"colour": "Red", "gleam": {"much": 5}}`)
			run.Observe()
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Patch("treated-1", oracletest.Via("a"))
			run.Observe()
			run.StoreAs(storage.JSON).ExpectFindings(`nothing-lost ` + c.want + ` lost unknown-field treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
		})
	}
}

// TestAlphaIsDropped: that a field may go with a release allows no server that
// publishes it to drop it.
func TestAlphaIsDropped(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Publish(term.Old, oracletest.Object{"spec.properties.gleam": marked(stage("alpha", "Gleam"))})
	run.Behave(term.Old, oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
		if was != nil {
			oracletest.With(".spec.gleam", nil)(t, now)
		}
	}})
	run.Create("treated-1", `{"colour": "Red", "gleam": 5}`)
	run.Observe()
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Observe()
	run.StoreAs(storage.JSON).ExpectFindings(`nothing-lost violation rule-2 lost unattributed treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
}

// TestAlphaIsAdded: with an alpha of the new release rule-6 says what is expected.
func TestAlphaIsAdded(t *testing.T) {
	for _, lifecycle := range []any{stage("alpha", "Gleam"), nil} {
		run := oracletest.NewRun(t)
		run.Publish(term.New, oracletest.Object{"spec.properties.gleam": marked(lifecycle)})
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("treated-1", `{"colour": "Red", "gleam": 5}`, oracletest.Via("a"))
		run.Patch("treated-1", oracletest.Via("b"))
		run.Observe()
		run.StoreAs(storage.JSON).ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.gleam in step 4 (upgrading 1/2)`)
	}
}

// TestAlphaGateIsAbandoned: a field that goes with a release may go if the release that had it
// had it behind an alpha gate; behind a beta one, or where nothing says of the stage, it may
// not.
func TestAlphaGateIsAbandoned(t *testing.T) {
	for name, c := range map[string]struct {
		description string
		alpha       []string
		want        string
	}{
		"alpha":          {"Requires enabling the Gleam feature gate.", []string{"Gleam"}, "impact lifecycle"},
		"another gate":   {"Requires enabling the Gleam feature gate.", []string{"Glow"}, "violation rule-2"},
		"not told":       {"Requires enabling the Gleam feature gate.", nil, "violation rule-2"},
		"behind no gate": {"How much it gleams.", []string{"Gleam"}, "violation rule-2"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewRun(t)
			run.Publish(term.Old, oracletest.Object{"spec.properties.gleam": oracletest.Object{"type": "integer", "description": c.description}})
			run.SetGate(term.Old, "Gleam", true)
			alpha(run, term.Old, c.alpha...)
			run.Create("treated-1", `{"colour": "Red", "gleam": 5}`)
			run.Observe()
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Patch("treated-1", oracletest.Via("a"))
			run.Observe()
			run.StoreAs(storage.JSON).ExpectFindings(`nothing-lost ` + c.want + ` lost unknown-field treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
		})
	}
}

// alpha says which of a release's feature gates are alpha.
func alpha(run *oracletest.Run, role term.Role, names ...string) {
	release := run.History.Releases[role]
	release.Alpha = names
	run.History.Releases[role] = release
}
