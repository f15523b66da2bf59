package hints

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// components returns the components that have hints.
func components() []string {
	names, _ := fs.Glob(files, "*.yaml")
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".yaml")
	}
	return names
}

// TestOf: every file is read, and each hint can be looked up without another one in its way.
func TestOf(t *testing.T) {
	require.Contains(t, components(), "kube-apiserver")
	for _, component := range components() {
		all, err := Of(component)
		require.NoError(t, err)
		assert.NotEmpty(t, all)
		type place struct{ apiVersion, kind, path string }
		seen := map[place]bool{}
		for _, h := range all {
			at := place{h.APIVersion, h.Kind, h.Path}
			assert.False(t, seen[at], at)
			seen[at] = true
			assert.NotEqual(t, h.Value, h.Bystander, at)
			treated, err := h.Treated()
			require.NoError(t, err)
			untreated, err := h.Untreated()
			require.NoError(t, err)
			assert.NotEqual(t, treated, untreated, at)
		}
	}
	none, err := Of("no-such-component")
	assert.NoError(t, err)
	assert.Empty(t, none)
}

// TestParse: a hint that lacks something, or has something unknown, is refused.
func TestParse(t *testing.T) {
	const right = "- {apiVersion: v1, kind: Gadget, path: '.spec.parts[].size', value: 1, why: a, source: b"
	_, err := parse("x.yaml", []byte(right+"}"))
	require.NoError(t, err)
	for _, wrong := range []string{
		right + ", more: 1}",
		right + ", since: v1.2.3}",
		right + ", gates: ['']}",
		"- {apiVersion: v1, kind: Gadget, path: .spec, value: 1, why: a}",
		"- {apiVersion: v1, kind: Gadget, path: .spec, why: a, source: b}",
		"- {apiVersion: v1, path: .spec, value: 1, why: a, source: b}",
		"- {apiVersion: v1, kind: Gadget, path: spec, value: 1, why: a, source: b}",
	} {
		_, err := parse("x.yaml", []byte(wrong))
		assert.Error(t, err, wrong)
	}
}

// TestTreated: the value is put into each element that the object has, and parents are made.
func TestTreated(t *testing.T) {
	h := Hint{APIVersion: "v1", Kind: "Gadget", Path: ".spec.parts[].size.most", Value: 1.0, Object: map[string]any{
		"spec": map[string]any{"parts": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}},
	}}
	treated, err := h.Treated()
	require.NoError(t, err)
	size := map[string]any{"most": 1.0}
	assert.Equal(t, map[string]any{"apiVersion": "v1", "kind": "Gadget", "spec": map[string]any{
		"parts": []any{map[string]any{"name": "a", "size": size}, map[string]any{"name": "b", "size": size}},
	}}, treated)
	untreated, err := h.Untreated()
	require.NoError(t, err)
	assert.Equal(t, []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}, untreated["spec"].(map[string]any)["parts"])
	h.Object = nil
	_, err = h.Treated()
	assert.Error(t, err)
}

// TestBetween: a hint is for a gate that differs, or for a release on the way.
func TestBetween(t *testing.T) {
	gated, late := Hint{Path: ".a", Gates: []string{"A", "B"}}, Hint{Path: ".b", Since: "1.34"}
	all := []Hint{gated, late, {Path: ".c"}}
	for _, c := range []struct {
		older, newer string
		gates        []string
		want         []Hint
	}{
		{"v1.33.13", "v1.34.4", nil, []Hint{late}},
		{"v1.31.0", "v1.37.2", []string{"B"}, []Hint{gated, late}},
		{"v1.34.0", "v1.35.4", []string{"C"}, nil},
		{"v1.32.0", "v1.33.13", nil, nil},
		{"", "", nil, nil},
	} {
		assert.Equal(t, c.want, Between(all, c.older, c.newer, c.gates), c)
	}
}
