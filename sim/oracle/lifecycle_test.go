package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// marked is a field with what its server publishes of how far it has come.
func marked(lifecycle any) object {
	of := scalarOf("integer")
	if lifecycle != nil {
		of[schema.LifecycleKey] = lifecycle
	}
	return of
}

// stage is a lifecycle as KEP-2558 has it.
func stage(status, gate string) object {
	says := object{"minVersion": "v1.2", "status": status}
	if gate != "" {
		says["featureGate"] = gate
	}
	return object{"widgets": says}
}

// abandons has a field that the old release has, with this lifecycle, and the
// new one has not any more: written over by the new release, by the old one after a
// read that hid it, and by a client of the new one; and sent to the new one.
func abandons(t *testing.T, lifecycle any) *story {
	s := tell(t)
	s.publish(term.Old, object{"spec.properties.gleam": marked(lifecycle)})
	const gleams = `{"colour": "Red", "gleam": 5}`
	s.create("treated-1", gleams)
	s.create("treated-2", gleams)
	s.create("treated-3", gleams)
	s.edge()
	s.stage("upgrading 1/2", term.New, term.Old)
	s.edge()
	s.patch("treated-1", via("a"))
	s.put("treated-2", read("a"), via("b"))
	s.put("treated-3", read("b"), via("b"), by(term.NewTyped))
	s.create("treated-4", gleams, via("a"))
	s.edge()
	return s.encoded(storage.JSON)
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
		"of one of two components": {object{"a": object{"status": "alpha", "featureGate": "G"}, "b": object{"status": "beta"}}, false},
		"of both components":       {object{"a": object{"status": "alpha", "featureGate": "G"}, "b": object{"status": "deprecated"}}, true},
		"unmarked":                 {nil, false},
		"beta":                     {stage("beta", "Gleam"), false},
		"alpha without a gate":     {stage("alpha", ""), false},
		"something else":           {stage("stable", "Gleam"), false},
		"what is no lifecycle":     {"alpha", false},
		"a gate and no status":     {stage("", "Gleam"), false},
		"alpha, in another sense":  {object{"widgets": "alpha"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			lost, refused := "violation rule-2", "violation rule-3"
			if c.mayGo {
				lost, refused = "impact lifecycle", "impact lifecycle"
			}
			abandons(t, c.lifecycle).finds(
				`nothing-lost `+lost+` lost unknown-field treated-1 .spec.gleam in step 8 (upgrading 1/2)`,
				`nothing-lost `+lost+` lost read-hidden treated-2 .spec.gleam in step 9 (upgrading 1/2)`,
				`nothing-lost `+lost+` lost client-omitted treated-3 .spec.gleam in step 10 (upgrading 1/2)`,
				`nothing-lost `+refused+` not-accepted unknown-field treated-4 .spec.gleam in step 11 (upgrading 1/2)`)
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
		"one of two components, above": {object{"a": object{"status": "alpha", "featureGate": "G"}, "b": object{"status": "beta"}}, stage("beta", "More"), "violation rule-2"},
	} {
		t.Run(name, func(t *testing.T) {
			gleam := object{"type": "object", "properties": object{"much": marked(c.below)}, schema.LifecycleKey: c.above}
			s := tell(t)
			s.publish(term.Old, object{"spec.properties.gleam": gleam})
			s.create("treated-1", `{"colour": "Red", "gleam": {"much": 5}}`)
			s.edge()
			s.stage("upgrading 1/2", term.New, term.Old)
			s.patch("treated-1", via("a"))
			s.edge()
			s.encoded(storage.JSON).finds(`nothing-lost ` + c.want + ` lost unknown-field treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
		})
	}
}

// TestAlphaIsDropped: that a field may go with a release allows no server that
// publishes it to drop it.
func TestAlphaIsDropped(t *testing.T) {
	s := tell(t)
	s.publish(term.Old, object{"spec.properties.gleam": marked(stage("alpha", "Gleam"))})
	s.thinks(term.Old, mind{drops: func(now, was object) {
		if was != nil {
			with(".spec.gleam", nil)(t, now)
		}
	}})
	s.create("treated-1", `{"colour": "Red", "gleam": 5}`)
	s.edge()
	s.stage("upgrading 1/2", term.New, term.Old)
	s.patch("treated-1", via("b"))
	s.edge()
	s.encoded(storage.JSON).finds(`nothing-lost violation rule-2 lost unattributed treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
}

// TestAlphaIsAdded: with an alpha of the new release rule-6 says what is expected.
func TestAlphaIsAdded(t *testing.T) {
	for _, lifecycle := range []any{stage("alpha", "Gleam"), nil} {
		s := tell(t)
		s.publish(term.New, object{"spec.properties.gleam": marked(lifecycle)})
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("treated-1", `{"colour": "Red", "gleam": 5}`, via("a"))
		s.patch("treated-1", via("b"))
		s.edge()
		s.encoded(storage.JSON).finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.gleam in step 4 (upgrading 1/2)`)
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
			s := tell(t)
			s.publish(term.Old, object{"spec.properties.gleam": object{"type": "integer", "description": c.description}})
			s.gates(term.Old, "Gleam", true)
			s.alpha(term.Old, c.alpha...)
			s.create("treated-1", `{"colour": "Red", "gleam": 5}`)
			s.edge()
			s.stage("upgrading 1/2", term.New, term.Old)
			s.patch("treated-1", via("a"))
			s.edge()
			s.encoded(storage.JSON).finds(`nothing-lost ` + c.want + ` lost unknown-field treated-1 .spec.gleam in step 5 (upgrading 1/2)`)
		})
	}
}
