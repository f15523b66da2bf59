package campaign

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// TestApplies: a pair of option pairs is refused if its builds are not a valid pair;
// other invalid pairs, and scenarios that do not apply, are excluded.
func TestApplies(t *testing.T) {
	s := &scenarios.Scenario{Name: "s", Releases: scenarios.Releases{Of: "server"}}
	named := pairing.Pair{Old: pairing.Release{Reference: "image:a:1"}, New: pairing.Release{Reference: "image:a:2"}}
	of := func(old, new, oldVersion, newVersion string) pairing.Pair {
		return pairing.Pair{Old: pairing.Release{Component: old, Version: oldVersion}, New: pairing.Release{Component: new, Version: newVersion}}
	}
	near := MatrixRequest{Pairs: []string{"image:a:1..image:a:2"}, MostApart: 2}
	listed := near
	listed.Pairs = nil
	for name, c := range map[string]struct {
		built         pairing.Pair
		flags         MatrixRequest
		refused       string
		notApplicable pairing.Kind
	}{
		"as it should be":         {of("server", "server", "v1.0.0", "v1.2.0"), near, "", ""},
		"order":                   {of("server", "server", "v1.1.0", "v1.0.0"), near, "the old release v1.1.0 is newer than the new one v1.0.0", ""},
		"order, not named":        {of("server", "server", "v1.1.0", "v1.0.0"), listed, "", pairing.Order},
		"apart":                   {of("server", "server", "v1.0.0", "v1.3.0"), near, "its releases are 3 minor releases apart", ""},
		"apart, not named":        {of("server", "server", "v1.0.0", "v1.3.0"), listed, "", pairing.Apart},
		"apart, no limit":         {of("server", "server", "v1.0.0", "v1.3.0"), MatrixRequest{Pairs: near.Pairs}, "", ""},
		"two components":          {of("server", "other", "v1.0.0", "v1.1.0"), near, "the old release is a server, the new one a other", ""},
		"the scenario of another": {of("other", "other", "v1.0.0", "v1.1.0"), near, "", pairing.Component},
	} {
		err := c.flags.applies(s, named, c.built)
		var notApplicable notApplicableError
		switch {
		case c.refused != "":
			require.ErrorContains(t, err, `pairs "image:a:1..image:a:2": `+c.refused, name)
			assert.True(t, fault.Is(err, fault.User), name)
		case c.notApplicable != "":
			require.ErrorAs(t, err, &notApplicable, name)
			assert.Equal(t, c.notApplicable, notApplicable.why.Kind, name)
		default:
			assert.NoError(t, err, name)
		}
	}
}

// anySource knows every release, and has built nothing.
type anySource struct{ Sources }

func (anySource) Known(context.Context, ...servers.Reference) error { return nil }

func (anySource) IsBuilt(context.Context, servers.Reference) bool { return false }

// TestComponentsOf: a pair has the component of the release that names it, also by an
// image's name; if neither does, the pair may have any component that is published as
// images.
func TestComponentsOf(t *testing.T) {
	const id = "image:sha256:3b1f0e0c9d5a4f7e8b6c2d1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e"
	for pair, want := range map[string][]string{
		"frobber@1.0..1.1": {"frobber"},
		"path:a..source:b": {"kube-apiserver"},
		"module:k8s.io/sample-apiserver@v0.35.4..v0.37.0":                 {"sample-apiserver"},
		"image:x/y:1..image:x/y":                                          {"frobber", "kube-apiserver"},
		"image:x/y:1.." + id:                                              {"frobber", "kube-apiserver"},
		"image:x/y:1..path:b":                                             {"kube-apiserver"},
		"image:x/y:1..frobber@1.1":                                        {"frobber"},
		"image:registry.k8s.io/kube-apiserver:v1.36.1..image:x/y:2":       {"kube-apiserver"},
		"image:x/y:1..image:localhost:5000/skewsim/frobber-apiserver:1.1": {"frobber"},
		"image:x/frobber-apiserver/y:1..image:x/y:2":                      {"frobber", "kube-apiserver"},
	} {
		p, err := (&MatrixRequest{}).pairNamed(t.Context(), anySource{}, pair)
		require.NoError(t, err, pair)
		assert.Equal(t, want, componentsOf([]pairing.Pair{p}), pair)
	}
	names, err := catalogueOf(nil)
	require.NoError(t, err)
	assert.Empty(t, names)
}

// TestPairsAmong: neighbours of a list form pairs, within each component and each module; a
// release that cannot be ordered, or that would be in no pair, is an error.
func TestPairsAmong(t *testing.T) {
	for list, want := range map[string][]string{
		"kube-apiserver@v1.36,v1.34.4,v1.35.4,v1.35.4":                       {"kube-apiserver@v1.34.4..v1.35.4", "kube-apiserver@v1.35.4..v1.36"},
		"frobber@1.3+forgets,1.3":                                            {"frobber@1.3..1.3+forgets"},
		"module:a.b/c@v0.2.0,v0.1.0,module:a.b/d@v0.1.5,module:a.b/d@v0.3.0": {"module:a.b/c@v0.1.0..module:a.b/c@v0.2.0", "module:a.b/d@v0.1.5..module:a.b/d@v0.3.0"},
	} {
		pairs, err := (&MatrixRequest{}).pairsAmong(t.Context(), anySource{}, list)
		require.NoError(t, err, list)
		var got []string
		for _, p := range pairs {
			got = append(got, p.String())
		}
		assert.Equal(t, want, got, list)
	}
	const alone = ", and a pair needs two: name another, or the same one twice with pairs"
	for list, want := range map[string]string{
		"frobber@1.0":                             "frobber@1.0: is the only release of frobber" + alone,
		"frobber@1.0,frobber@1.0":                 "frobber@1.0: is the only release of frobber" + alone,
		"frobber@1.0,1.1,kube-apiserver@v1.36.1":  "kube-apiserver@v1.36.1: is the only release of kube-apiserver" + alone,
		"module:a.b/c@v0.1.0,module:a.b/d@v0.2.0": "module:a.b/c@v0.1.0: is the only release of a.b/c" + alone,
		"kube-apiserver@v1.36,v1.35.4,v1.36.1":    "kube-apiserver@v1.36 and kube-apiserver@v1.36.1: one is the newest patch of its minor, so only the builds show which is newer, or whether they are the same: leave one out, or name their pair with pairs",
		"frobber@1.0,path:x":                      "path:x: has no version to order it by: name its pairs with pairs",
	} {
		_, err := (&MatrixRequest{MostApart: 1}).pairsAmong(t.Context(), anySource{}, list)
		assert.EqualError(t, err, `releases "`+list+`": `+want)
	}
}

// TestReleaseOf: a module's version orders it; the version of a module with manifests may
// differ from the server's.
func TestReleaseOf(t *testing.T) {
	for text, want := range map[string]string{
		"module:example.dev/fish@v0.1.0": "v0.1.0", "crd:example.dev/fish@v0.1.0//crds": "", "frobber@1.0": "1.0",
	} {
		ref, err := servers.ParseReference(text)
		require.NoError(t, err)
		assert.Equal(t, want, releaseOf(ref).Version, text)
	}
	s := &scenarios.Scenario{Releases: scenarios.Releases{Of: "fish", Pair: "module:example.dev/fish@v0.1.0..v0.2.0"}}
	assert.Empty(t, (&MatrixRequest{Request: engine.Request{AllowPrograms: true}}).ownBuilt(t.Context(), anySource{}, s), "nobody built it")
}

// TestDistinct: two cells with one directory are refused.
func TestDistinct(t *testing.T) {
	one := &Cell{Label: "one", Run: engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{Name: "s"}}}, Pair: pairing.Pair{New: pairing.Release{Reference: "path:b"}}}
	other := *one
	other.Label, other.Pair.New.Reference = "other", "path:c"
	assert.NoError(t, (&Layout{Cells: []*Cell{one, &other}}).distinct())
	other.Pair = one.Pair
	assert.ErrorContains(t, (&Layout{Cells: []*Cell{one, &other}}).distinct(), "one and other: have the same directory")
}

// TestHolds: only finished cells would be dropped.
func TestHolds(t *testing.T) {
	m := &Layout{}
	for _, phase := range []matrix.Phase{matrix.Waiting, matrix.Running, matrix.Interrupted, matrix.NotApplicable} {
		assert.NoError(t, m.holds(matrix.State{Cells: []matrix.Cell{{Phase: phase}}}), phase)
	}
}
