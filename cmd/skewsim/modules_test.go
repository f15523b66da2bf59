package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/engine"
)

// ofFish is a scenario of a module's server, in a folder that holds the given adapters.
func ofFish(t *testing.T, adapters map[string]string) *scenarios.Scenario {
	t.Helper()
	dir := t.TempDir()
	for name, text := range adapters {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return &scenarios.Scenario{Name: "x", File: filepath.Join(dir, "x.yaml"), Releases: scenarios.Releases{
		Of: "fish", Old: "< 0.2", Pair: "module:example.dev/fish@v0.1.0..v0.2.0", Adapter: "fish.yaml",
	}}
}

func requestFor(r engine.Request, s *scenarios.Scenario) engine.Request {
	r.Scenario = s
	return r
}

// TestAdapterOfAPair: a module has the adapter that the scenario names, beside its file,
// or that the user names, wherever that is; others have none.
func TestAdapterOfAPair(t *testing.T) {
	s := ofFish(t, nil)
	for _, c := range []struct {
		flags        engine.Request
		name, within string
	}{
		{engine.Request{}, "fish.yaml", filepath.Dir(s.File)},
		{engine.Request{Adapter: "mine.yaml"}, "mine.yaml", ""},
		{engine.Request{Pair: engine.PairNames{Pair: "module:example.dev/other@v0.1.0..v0.3.0"}}, "fish.yaml", filepath.Dir(s.File)},
	} {
		_, old, new, err := requestFor(c.flags, s).Releases()
		require.NoError(t, err)
		assert.Equal(t, []string{c.name, c.within, c.name, c.within}, []string{old.Adapter, old.AdapterWithin, new.Adapter, new.AdapterWithin})
	}
	_, _, _, err := requestFor(engine.Request{Pair: engine.PairNames{Pair: "module:example.dev/fish@v0.2.0..v0.3.0"}}, s).Releases()
	assert.ErrorContains(t, err, "x: does not apply to v0.2.0 as the old release: the scenario's old release is a fish < 0.2")
	train := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "frobber", Pair: "frobber@1.0..1.1"}}
	_, _, _, err = requestFor(engine.Request{Adapter: "mine.yaml"}, train).Releases()
	assert.EqualError(t, err, "--adapter mine.yaml: neither frobber@1.0 nor frobber@1.1 is a build of a module: leave it out")
}
