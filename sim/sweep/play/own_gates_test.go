package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

type gates = map[string]bool

// gated returns a session whose new release has the gate Field, which needs Base, and a locked gate, and whose old
// release has Base alone, as its server reports it.
func gated() (*session, sweep.Row) {
	facts := &source.Facts{Gates: map[string]source.Gate{
		"Field": {Needs: []string{"Base"}}, "Base": {}, "Other": {}, "Hinted": {}, "Done": {GateState: source.GateState{Locked: true}},
	}}
	s := &session{
		sources: map[term.Role]*source.Facts{term.New: facts},
		plain:   map[term.Role]published.Release{term.Old: {Features: map[string]published.Feature{"Base": {}}}},
		given:   map[term.Role]scenarios.Options{term.Old: {}, term.New: {}},
		hints: []hints.Hint{
			{APIVersion: "v1", Kind: "Thing", Path: ".spec.x", Gates: []string{"Hinted"}}, {APIVersion: "v1", Kind: "Gadget", Path: ".spec.x", Gates: []string{"Other"}},
		},
	}
	d := diff.Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Thing", Path: ".spec.x", Gates: []diff.Gate{{Name: "Field"}, {Name: "Done"}}}
	return s, sweep.Row{ID: "row", Difference: d}
}

// TestOwnGates: a row needs its own gates, those of its hints and what these need, as far as a release can switch
// them. Locked gates and those of other kinds are left out.
func TestOwnGates(t *testing.T) {
	s, row := gated()
	assert.Equal(t, gates{"Field": true, "Base": true, "Hinted": true}, s.ownGates(term.New, row))
	assert.Empty(t, s.ownGates(term.Old, row), "it knows Base, and the row does not name it")
	assert.Empty(t, s.ownGates(term.New, sweep.Row{}))
}

// TestWithOwnGates: a scenario of the lap with gates has those of its row in place of all, and keeps APIs only of a row
// that needs them. Near twins: the lap at default settings, and a row without gates, keep the lap's settings.
func TestWithOwnGates(t *testing.T) {
	s, row := gated()
	all := scenarios.Options{FeatureGates: gates{"AllAlpha": true}, RuntimeConfig: gates{"api/all": true}}
	lap := sweep.Lap{Lap: term.GatesLap, Settings: sweep.Settings{Old: all, New: all}}
	own := s.withOwnGates(lap, row)
	assert.Equal(t, gates{"Field": true, "Base": true, "Hinted": true}, own.New.FeatureGates)
	assert.Empty(t, own.Old.FeatureGates)
	assert.Empty(t, own.New.RuntimeConfig)
	alpha := row
	alpha.Version = "v1alpha1"
	assert.Equal(t, all.RuntimeConfig, s.withOwnGates(lap, alpha).New.RuntimeConfig)
	assert.Equal(t, lap.Settings, s.withOwnGates(lap, sweep.Row{}))
	lap.Lap = term.DefaultLap
	assert.Equal(t, lap.Settings, s.withOwnGates(lap, row))
}

// TestSwitching: the pair of gates is one release, with the row's gates off and then on, what they need on at both
// ends, and what the user gives unchanged. Near twins: no gate, and a locked one, have no such pair.
func TestSwitching(t *testing.T) {
	s, row := gated()
	settings := sweep.Settings{Releases: scenarios.Releases{Pair: "kube-apiserver@v1.35.4..v1.36.3"}}
	got, is := s.switching(settings, row)
	assert.True(t, is)
	assert.Equal(t, "kube-apiserver@v1.36.3..v1.36.3", got.Releases.Pair)
	assert.Equal(t, gates{"Field": false, "Base": true, "Hinted": true}, got.Old.FeatureGates)
	assert.Equal(t, gates{"Field": true, "Base": true, "Hinted": true}, got.New.FeatureGates)
	for name, of := range map[string][]diff.Gate{"no gate": nil, "a locked one": {{Name: "Done"}}, "of the old release": {{Name: "Gone"}}} {
		row.Gates = of
		_, is = s.switching(settings, row)
		assert.False(t, is, name)
	}
}
