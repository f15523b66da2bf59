package fuzz

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
)

// thingOf is a release that publishes a kind, and these members of its spec, in a version.
func thingOf(t *testing.T, role term.Role, version, members string) *Release {
	t.Helper()
	text := fmt.Sprintf(`{"components":{"schemas":{"x.Thing":{"type":"object",
		"x-kubernetes-group-version-kind":[{"group":"x","version":%q,"kind":"Thing"}],
		"properties":{"metadata":{"type":"object","properties":{"own":{"type":"string"}}},
			"status":{"type":"object","properties":{"done":{"type":"boolean"}}},
			"spec":{"type":"object","properties":{"size":{"type":"integer"}%s}}}},
		"x.Tree":{"type":"object","properties":{"left":{"$ref":"#/components/schemas/x.Tree"},"leaf":{"type":"string"}}}}}}`, version, members)
	s, err := objects.ReadDefinitions([]byte(text))
	require.NoError(t, err)
	return &Release{
		Version: string(role), Definitions: map[string]objects.Definitions{"x/" + version: s},
		Served: []client.Discovered{{APIVersion: "x/" + version, Kind: "Thing", Subresources: []string{"status"}}},
	}
}

const freshMembers = `,"mode":{"type":"string"},"tree":{"$ref":"#/components/schemas/x.Tree"},
	"parts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"weight":{"type":"integer"}}}},
	"limits":{"type":"object","additionalProperties":{"type":"object","properties":{"most":{"type":"integer"}}}}`

// unsentOf is the text of a run that sent one object.
func unsentOf(t *testing.T, old, new *Release, from term.Role, accepted bool, spec map[string]any) Result {
	t.Helper()
	r := &Result{Old: old.Version, New: new.Version}
	f := &fuzzer{config: Config{Count: 1}, result: r, byKey: map[string]int{}, kinds: []string{"Thing.x"}}
	l := &lap{fuzzer: f, plan: lapPlan{name: "off"}, releases: map[term.Role]*Release{term.Old: old, term.New: new}}
	tr := l.travellerFrom(Place{Role: from, Resource: l.releases[from].Served[0]}, Object{"Thing.x", 0})
	j := &journey{traveller: tr, accepted: accepted, done: true, object: map[string]any{"spec": spec}}
	require.NoError(t, l.conclude(t.Context(), []*journey{j}, nil))
	r.judge()
	return *r
}

// TestUnsent: a run names the fields that only the new release publishes and that it never
// sent there, and no field that it sent, or that both publish.
func TestUnsent(t *testing.T) {
	all := []string{".spec.limits", ".spec.limits[].most", ".spec.mode", ".spec.parts", ".spec.parts[].name", ".spec.parts[].weight", ".spec.tree", ".spec.tree.leaf", ".spec.tree.left"}
	old, new := thingOf(t, term.Old, "v1", ""), thingOf(t, term.New, "v1", freshMembers)
	some := map[string]any{"size": int64(1), "mode": "a", "parts": []any{map[string]any{"name": "b"}}, "limits": map[string]any{"c": map[string]any{"most": int64(1)}}}
	left := []string{".spec.parts[].weight", ".spec.tree", ".spec.tree.leaf", ".spec.tree.left"}
	for name, c := range map[string]struct {
		old, new *Release
		from     term.Role
		accepted bool
		want     []string
		fresh    int
	}{
		"some were sent":           {old, new, term.New, true, left, 9},
		"refused":                  {old, new, term.New, false, all, 9},
		"sent to the old release":  {old, new, term.Old, true, all, 9},
		"known in another version": {thingOf(t, term.Old, "v1beta1", freshMembers), new, term.New, true, nil, 0},
		"nothing is new":           {old, thingOf(t, term.New, "v1", ""), term.New, true, nil, 0},
		"the release before":       {new, old, term.New, true, nil, 0},
		"the kind is new":          {&Release{}, new, term.New, true, nil, 0},
	} {
		r := unsentOf(t, c.old, c.new, c.from, c.accepted, some)
		var got []string
		for _, u := range r.Unsent {
			got = append(got, u.Fields...)
		}
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.fresh, r.Fresh, name)
	}
	var text bytes.Buffer
	require.NoError(t, Text(&text, unsentOf(t, old, new, term.New, true, some)))
	assert.Contains(t, text.String(), "Thing.x .spec.tree, Thing.x .spec.parts[].weight, ...")
	assert.NotContains(t, text.String(), ".spec.tree.leaf", "its struct is named")
}
