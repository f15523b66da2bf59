package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/schema"
)

func only1(gate string) func(string) bool { return func(name string) bool { return name == gate } }

// TestFollowedIsTold: the text names the gates as the result does.
func TestFollowedIsTold(t *testing.T) {
	l := &lap{releases: map[term.Role]*Release{term.Old: {Followed: []string{"B"}}, term.New: {Followed: []string{"B", "A"}}}}
	assert.Equal(t, []string{"A", "B"}, l.followed())
	var text bytes.Buffer
	require.NoError(t, Text(&text, Result{Features: []string{"Glow"}, Laps: []Lap{{Features: "on", Followed: l.followed()}, {Features: "off"}}}))
	assert.Contains(t, text.String(), "features on (Glow)\n  and with them, the gates that depend on them: A, B\n")
	assert.Contains(t, text.String(), "features off (Glow)\n\n", "and nothing without such gates")
}

// TestUnswitchable: a gate that no lap can switch cannot be requested.
func TestUnswitchable(t *testing.T) {
	r := func(version string, features ...client.Feature) *Release {
		return &Release{Version: version, Features: features}
	}
	old := r("v1", client.Feature{Name: "Glow", Stage: "ALPHA"}, client.Feature{Name: "Firm"})
	new := r("v2", client.Feature{Name: "Glow"}, client.Feature{Name: "Shine", Stage: "BETA"})
	for name, want := range map[string]string{
		"Glow": "", "Shine": "",
		"Glwo":  "features Glwo: neither v1 nor v2 has an alpha or beta gate",
		"Firm":  "features Firm: neither v1 nor v2 has an alpha or beta gate",
		"Given": "features Given: old-feature-gates or new-feature-gates sets this gate",
	} {
		err := unswitchable(old, new, []string{name}, only1("Given"))
		if want == "" {
			assert.NoError(t, err, name)
			continue
		}
		var request *servers.RequestError
		require.ErrorAs(t, err, &request, name)
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, unswitchable(old, new, nil, only1("")))
}

// TestFeaturesOfTheSource switches the gates that the source of the types names, where no
// description does; and an unaccepted value counts as behind a gate that is off.
func TestFeaturesOfTheSource(t *testing.T) {
	document := []byte(`{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {"Thing": {"type": "object",
		"properties": {"glow": {"type": "integer"}, "shine": {"type": "integer"}},
		"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Thing"}]}}}}`)
	plain, err := schema.Parse([][]byte{document})
	require.NoError(t, err)
	of := func(tags string) *Release {
		r := &Release{
			Schema: plain, Features: []client.Feature{{Name: "Glow", Stage: "ALPHA"}, {Name: "Firm", On: true}},
			Served: []client.Discovered{{APIVersion: "example.dev/v1", Kind: "Thing"}},
		}
		require.NoError(t, r.Tag([]byte(tags)))
		return r
	}
	kind := func(r *Release) schema.Kind {
		k, _ := r.Schema.Kind("example.dev/v1", "Thing")
		return k
	}
	tagged, untagged := of(`{"Thing": {"glow": {"gates": ["Firm", "Glow"]}}}`), of("")
	assert.Equal(t, []string{"Glow"}, featuresOf(tagged, untagged, []string{"Thing.example.dev"}))
	assert.Empty(t, featuresOf(untagged, untagged, []string{"Thing.example.dev"}))
	glow, shine := fieldpath.MakePathOrDie("glow"), fieldpath.MakePathOrDie("shine")
	assert.False(t, tagged.GatesOn(kind(tagged).Gating().Gates(glow), untagged))
	assert.True(t, tagged.GatesOn(kind(tagged).Gating().Gates(shine), untagged))
	assert.True(t, untagged.GatesOn(kind(untagged).Gating().Gates(glow), tagged))
	assert.Error(t, (&Release{}).Tag([]byte("{")))
}

// TestGateThatNoReleaseHas: a gate of the source that neither release reports guards
// nothing, unless one of them reports no gates. A gate that only the other release reports
// may be needed by a value. TestGatesOfInstalledKinds: a gate that a manifest's description
// names, because it was copied, does not belong to the kind: no lap switches it, no value
// needs it, and no value goes with it. For a kind that the server serves itself the same
// words mean all that.

func TestGatesOfInstalledKinds(t *testing.T) {
	document := []byte(`{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {"Thing": {"type": "object",
		"properties": {"glow": {"type": "integer", "description": "This field requires enabling the Glow feature gate."}},
		"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Thing"}]}}}}`)
	parsed, err := schema.Parse([][]byte{document})
	require.NoError(t, err)
	for installed, features := range map[bool][]string{true: nil, false: {"Glow"}} {
		r := &Release{
			Installed: installed, Schema: parsed, Features: []client.Feature{{Name: "Glow", Stage: "ALPHA"}},
			Served: []client.Discovered{{APIVersion: "example.dev/v1", Kind: "Thing"}},
		}
		k, _ := r.Schema.Kind("example.dev/v1", "Thing")
		assert.Equal(t, features, featuresOf(r, r, []string{"Thing.example.dev"}), installed)
		assert.Equal(t, installed, r.GatesOn(k.Gating().Gates(fieldpath.MakePathOrDie("glow")), r))
		assert.Equal(t, features, r.Alpha())
		assert.NoError(t, unswitchable(r, r, []string{"Glow"}, only1("")), "who asks for a gate of the server may switch it")
	}
}
