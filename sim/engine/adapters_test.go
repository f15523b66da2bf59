package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers/builder"
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

func made() engine.Made {
	return engine.BuildsOf(builder.New(builder.Config{Catalogue: scenarios.CatalogueFS()}))
}

// TestFlagsOfOtherNames: neither the scenario nor the command line may set a flag that
// skewsim sets under a name of the adapter's. Another server may have a flag of that name.
func TestFlagsOfOtherNames(t *testing.T) {
	const flag = "--storage-servers=http://10.0.0.1:2379"
	renames := map[string]string{"fish.yaml": "component: fish\nnames: {etcd-servers: storage-servers}", "plain.yaml": "component: fish"}
	for _, adapter := range []string{"fish.yaml", "plain.yaml"} {
		s := ofFish(t, renames)
		s.Releases.Adapter = adapter
		s, err := engine.Options{New: engine.ServerOptions{Flags: []string{flag, "--v=2"}}}.Over(s)
		require.NoError(t, err)
		_, old, new, err := requestFor(engine.Request{}, s).Releases()
		require.NoError(t, err)
		require.NoError(t, made().CheckAdapters(s, old, old, new, new), "of a chain that says nothing of flags")
		err = made().CheckAdapters(s, old, old) // the same build twice, with other flags
		if adapter == "plain.yaml" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, old.String()+`: flags: "`+flag+`": skewsim sets it: all replicas share one store, which it watches from the first revision`)
		assert.ErrorContains(t, made().CheckAdapters(s, old, new), new.String()+": flags: ")
	}
}

// TestCheckAdapters: errors of an adapter are reported once for both releases, and before
// anything is built.
func TestCheckAdapters(t *testing.T) {
	for name, c := range map[string]struct {
		adapters map[string]string
		of, at   string
		want     string
	}{
		"right":         {map[string]string{"fish.yaml": "component: fish"}, "fish", "fish.yaml", ""},
		"none":          {nil, "fish", "", ""},
		"missing":       {nil, "fish", "fish.yaml", "fish.yaml\": no such file; leave the adapter out if the server needs none"},
		"a folder":      {nil, "fish", ".", "is not a regular file"},
		"outside":       {nil, "fish", "../fish.yaml", "adapter \"../fish.yaml\": leads out of the folder of the scenario that names it: name a file in it"},
		"wrong":         {map[string]string{"fish.yaml": "componet: fish"}, "fish", "fish.yaml", `fish.yaml:1: unknown key "componet": did you mean "component"?`},
		"another":       {map[string]string{"fish.yaml": "component: whale"}, "fish", "fish.yaml", "is a whale, and the scenario of fish: correct component in the adapter's file, or releases.of"},
		"another still": {nil, "whale", "", "is a fish, and the scenario of whale: correct component in the adapter's file, or releases.of"},
	} {
		s := ofFish(t, c.adapters)
		s.Releases.Adapter, s.Releases.Of = c.at, c.of
		_, old, new, err := requestFor(engine.Request{}, s).Releases()
		require.NoError(t, err, name)
		switch err := made().CheckAdapters(s, old, new); {
		case c.want == "":
			assert.NoError(t, err, name)
		default:
			assert.ErrorContains(t, err, c.want, name)
		}
	}
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
	assert.ErrorContains(t, err, "x: does not apply to v0.2.0 as the old release: the scenario requires fish < 0.2 as the old release")
	train := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "frobber", Pair: "frobber@1.0..1.1"}}
	_, _, _, err = requestFor(engine.Request{Adapter: "mine.yaml"}, train).Releases()
	assert.EqualError(t, err, "adapter mine.yaml: neither frobber@1.0 nor frobber@1.1 is a build of a module: leave it out")
}
