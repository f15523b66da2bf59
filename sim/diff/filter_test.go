package diff

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestNearest: a kind or a field that is spelled nearly right is suggested, whatever is missing of its
// dots and brackets; another word is not.
func TestNearest(t *testing.T) {
	fields := []string{".spec.volumes[].emptyDir.mode", ".spec.replicas"}
	for wanted, want := range map[string]string{
		".spec.volumes.emptyDir.mode":   fields[0],
		"spec.volumes[].emptyDir.mode":  fields[0],
		".spec.volumes[].emptyDir.mdoe": fields[0],
		"spec.volumes":                  ".spec.volumes[]",
		".status.addresses":             "",
	} {
		assert.Equal(t, want, nearest(wanted, fields), wanted)
	}
	assert.Equal(t, "Pod", nearest("Pdo", []string{"Node", "Pod"}))
}

// TestCheckWithoutDifference: releases that do not differ have no kind to name.
func TestCheckWithoutDifference(t *testing.T) {
	assert.EqualError(t, Filter{Kinds: []string{"Pod"}}.Check(Result{}), "Pod: no difference is of this kind: the releases differ in none")
	assert.EqualError(t, Filter{Paths: []string{".spec.a"}}.Check(Result{}), ".spec.a: no difference is at this field: the releases differ in none")
	only := Result{Differences: []Difference{{Difference: term.FieldAdded, Version: "v1", Kind: "Node", Path: ".spec.a"}}}
	assert.EqualError(t, Filter{Kinds: []string{"Certificate"}}.Check(only), "Certificate: no difference is of this kind; there are some of Node")
}

// TestGates: a gate selects itself and what is behind it; another name is an error that names the nearest.
func TestGates(t *testing.T) {
	gates := []Gate{{Name: "Shiny"}}
	r := Result{Differences: []Difference{
		{Difference: term.GateChanged, Name: "Shiny", Gates: gates},
		{Difference: term.FieldAdded, Version: "v1", Kind: "Node", Path: ".spec.a", Gates: gates},
		{Difference: term.FieldAdded, Version: "v1", Kind: "Node", Path: ".spec.b"},
	}}
	assert.Len(t, Filter{Gates: []string{"Shiny"}}.Apply(r).Differences, 2)
	assert.NoError(t, Filter{Gates: []string{"Shiny"}}.Check(r))
	assert.EqualError(t, Filter{Gates: []string{"Shinny"}}.Check(r), "Shinny: no difference is of this feature gate, nor behind it; did you mean Shiny?")
	assert.EqualError(t, Filter{Gates: []string{"Other"}, Kinds: []string{"Node"}}.Check(r), "Other: no difference is of this feature gate, nor behind it; there are some of Shiny")
}

// TestKindOfGate: a gate is of the kinds whose code uses it, although no field is behind it; of its fields, only
// those of the kind are played.
func TestKindOfGate(t *testing.T) {
	node := Place{APIVersion: "v1", Kind: "Node"}
	r := Result{Differences: []Difference{
		{Difference: term.GateAdded, Name: "Wiping", UsedBy: []Place{node}},
		{Difference: term.GateAdded, Name: "Both", UsedBy: []Place{node}, Places: []Place{{APIVersion: "v1", Kind: "Event", Path: ".a"}}, Playable: true},
		{Difference: term.GateAdded, Name: "Other"},
	}}
	of := Filter{Kinds: []string{"Node"}}
	assert.NoError(t, of.Check(r))
	chosen := of.Apply(r).Differences
	assert.Len(t, chosen, 2)
	assert.Empty(t, chosen[1].Places)
	assert.False(t, chosen[1].Playable)
	assert.Empty(t, Filter{Kinds: []string{"Node"}, Paths: []string{".a"}}.Apply(r).Differences)
}

// TestCodeOf: packages of one kind's code, and others.
func TestCodeOf(t *testing.T) {
	for pkg, want := range map[string]string{
		"pkg/registry/networking/servicecidr/storage": "networking/servicecidr", "pkg/registry/core/pod": "core/pod", "pkg/api/pod": "/pod",
		"pkg/apis/core/validation": "", "pkg/registry": "", "plugin/pkg/admission/node": "",
	} {
		assert.Equal(t, want, codeOf(pkg), pkg)
	}
}

// TestWithinTemplate: what is within a kind's objects is of the kind, where another kind alone has a template of
// them; a place of the kind itself comes first.
func TestWithinTemplate(t *testing.T) {
	set := func(path string) Place { return Place{APIVersion: "v1", Kind: "Set", Path: path} }
	one := Place{APIVersion: "v1", Kind: "One", Path: ".spec.part.a"}
	alone := Difference{Difference: term.GateChanged, Name: "Alone", Places: []Place{set(".spec.template.spec.part.b")}, Playable: true}
	both := Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Set", Path: ".spec.template.spec.part.a", Places: []Place{set(".spec.template.spec.part.a"), one}}
	other := Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Set", Path: ".spec.own", Places: []Place{set(".spec.own")}}
	r := Result{Differences: []Difference{alone, both, other}, parts: map[Place]Place{set(".spec.template.spec"): {APIVersion: "v1", Kind: "One", Path: ".spec"}}}
	chosen := Filter{Kinds: []string{"One"}}.Apply(r).Differences
	assert.Len(t, chosen, 2)
	assert.Equal(t, alone.Places, chosen[0].Places)
	assert.Equal(t, []Place{one}, chosen[1].Places)
}

// TestPathWithinAdded: a field within an added one is added with it; beside it, or of a changed one, it is not.
func TestPathWithinAdded(t *testing.T) {
	r := Result{Differences: []Difference{
		{Difference: term.FieldAdded, Version: "v1", Kind: "Node", Path: ".status.health"},
		{Difference: term.DefaultChanged, Version: "v1", Kind: "Node", Path: ".status.other"},
	}}
	within := Filter{Paths: []string{".status.health.reason"}}
	assert.NoError(t, within.Check(r))
	assert.Len(t, within.Apply(r).Differences, 1)
	assert.Error(t, Filter{Paths: []string{".status.other.reason"}}.Check(r))
	assert.Error(t, Filter{Paths: []string{".status.healthy"}}.Check(r))
}
