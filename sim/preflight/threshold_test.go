package preflight

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// TestThresholdOf: a gate that is on in the newer release alone is a write; two gates of one field are one.
func TestThresholdOf(t *testing.T) {
	on, off := &diff.GateState{Default: true}, &diff.GateState{}
	gate := func(name string, old, new *diff.GateState) diff.Difference {
		return diff.Difference{Difference: term.GateChanged, Name: name, Gates: []diff.Gate{{Name: name, Old: old, New: new}}, Places: []diff.Place{
			{APIVersion: "v1", Kind: "Pod", Path: ".spec.volumes[].a"}, {APIVersion: "v1beta1", Kind: "Pod", Path: ".spec.volumes[].a"}, {APIVersion: "v1", Kind: "Node", Path: ".spec.b"},
		}}
	}
	both := ThresholdsOf(gate("A", off, on))
	require.Len(t, both, 2, "each field of the gate")
	assert.Equal(t, ".spec.b", both[1].Path)
	first := both[0]
	for _, d := range []diff.Difference{gate("A", on, on), gate("A", off, off), {Difference: term.GateChanged, Gates: []diff.Gate{{Name: "A", Old: off, New: on}}}} {
		assert.Empty(t, ThresholdsOf(d))
	}
	second := ThresholdsOf(gate("B", off, on))[0]
	all := Join(Join(Join(nil, first), second), first)
	require.Len(t, all, 1)
	assert.Equal(t, "A, B", all[0].Gate)
	added := ThresholdsOf(diff.Difference{Difference: term.FieldAdded, Kind: "Pod", Path: ".spec.volumes[].a"})[0]
	assert.Equal(t, "someone sets .spec.volumes[].a of a Pod", added.What)
	all = Join(Join(nil, first), added)
	require.Len(t, all, 1)
	assert.False(t, all[0].Known(), "in whichever order the differences come")
	nested := gate("C", off, on)
	nested.Places = []diff.Place{{Kind: "Ingress", Path: ".spec.a"}, {Kind: "Ingress", Path: ".spec.a.b"}, {Kind: "Ingress", Path: ".spec.ab"}, {Kind: "Node", Path: ".spec.a"}}
	var of []string
	for _, t := range ThresholdsOf(nested) {
		of = append(of, t.What)
	}
	assert.Equal(t, []string{"someone sets .spec.a of an Ingress to what needs the gate C", "someone sets .spec.ab of an Ingress to what needs the gate C", "someone sets .spec.a of a Node to what needs the gate C"}, of, "the outermost field of each kind")
	assert.Empty(t, ThresholdsOf(nested)[0].At("", "Node"), "it has a field of the same name")
	assert.Equal(t, ".spec.a", ThresholdsOf(nested)[2].At("", "Node"))
	ingress := ThresholdsOf(nested)[0]
	for _, c := range []struct {
		f    Finding
		want bool
	}{
		{Finding{Kind: "Ingress", Path: ".spec.a.b"}, true}, {Finding{Kind: "Ingress", Path: ".spec.b.a"}, false}, {Finding{Kind: "Node", Path: ".spec.a"}, false},
		{Finding{Group: "example.com", Kind: "Ingress", Path: ".spec.a"}, false}, {Finding{Kind: "Ingress"}, false},
	} {
		assert.Equal(t, c.want, ingress.Concerns(c.f), c.f)
	}
	assert.Empty(t, ThresholdsOf(diff.Difference{Difference: term.FieldAdded, Kind: "Pod", Path: ".a", Gates: []diff.Gate{{Name: "A", Old: off}}}), "the newer release lacks the gate")
	all = Join(Join(nil, added), first)
	require.Len(t, all, 1)
	assert.False(t, all[0].Known(), "the older release does not have the field")
	assert.True(t, first.Known())
	assert.Equal(t, ".spec.template.spec.volumes[].a", Threshold{places: []diff.Place{{APIVersion: "apps/v1", Kind: "Deployment", Path: ".spec.template.spec.volumes[].a"}}}.At("apps", "Deployment"))
	assert.Len(t, Join(Join(nil, added), Threshold{Group: "example.com", Kind: "Pod", Path: ".spec.volumes[].a"}), 2, "a kind of another group")
	assert.Empty(t, first.At("apps", "Pod"))
	assert.Empty(t, first.At("", "Node"), "another field of the gate")
}

// TestThresholdValues: values of lists are found, and of an enum only the new one.
func TestThresholdValues(t *testing.T) {
	var object any
	require.NoError(t, json.Unmarshal([]byte(`{"spec":{"volumes":[{"a":1},{"b":2},{"a":null}],"mode":"New","zero":0}}`), &object))
	enum := func(value string) Threshold {
		return ThresholdsOf(diff.Difference{Difference: term.EnumValueAdded, Kind: "A", Path: ".spec.mode", Name: value})[0]
	}
	assert.Equal(t, []any{1.0}, Threshold{}.Values(object, ".spec.volumes[].a"))
	assert.Equal(t, []any{0.0}, Threshold{}.Values(object, ".spec.zero"))
	assert.Len(t, enum("New").Values(object, ".spec.mode"), 1)
	assert.Empty(t, enum("Newer").Values(object, ".spec.mode"))
	assert.Empty(t, Threshold{}.Values(object, ".spec.mode.a"))
}

// TestHasPlace: a field of the status that the newer release alone has is one of controllers; below a list it has
// a place in an object with an element alone.
func TestHasPlace(t *testing.T) {
	var object any
	require.NoError(t, json.Unmarshal([]byte(`{"status":{"conditions":[{"type":"A"}],"empty":[]}}`), &object))
	of := func() any { return object }
	for path, want := range map[string]bool{".status.new": true, ".status": true, ".status.conditions[].seen": true, ".status.empty[].seen": false, ".status.none[].seen": false} {
		assert.Equal(t, want, HasPlace(of, path), path)
	}
	added := ThresholdsOf(diff.Difference{Difference: term.FieldAdded, Kind: "Node", Path: ".status.new"})[0]
	assert.True(t, added.OfControllers(".status.new"))
	assert.False(t, added.OfControllers(".spec.new"))
	assert.False(t, added.OfControllers(".statusNew"))
	value := ThresholdsOf(diff.Difference{Difference: term.EnumValueAdded, Kind: "Node", Path: ".status.phase", Name: "New"})[0]
	assert.False(t, value.OfControllers(".status.phase"), "other values of the field are no such write")
}

// TestWriter: no user writes a status: what does is named. What controllers write counts its places whether the
// older release has the field behind a gate or not.
func TestWriter(t *testing.T) {
	gate := diff.Difference{Difference: term.GateChanged, Gates: []diff.Gate{{Name: "G", Old: &diff.GateState{}, New: &diff.GateState{Default: true}}}, Places: []diff.Place{
		{APIVersion: "apps/v1", Kind: "Deployment", Path: ".status.terminatingReplicas"}, {APIVersion: "apps/v1", Kind: "Deployment", Path: ".spec.statusName"},
	}}
	all := ThresholdsOf(gate)
	require.Len(t, all, 2)
	assert.NotContains(t, all[0].What, "someone")
	assert.True(t, all[0].Known() && all[0].OfControllers(".status.terminatingReplicas"))
	assert.Contains(t, all[1].What, "someone sets .spec.statusName of a Deployment")
	assert.False(t, all[1].OfControllers(".spec.statusName"))
}

// TestUnnamedGates: a gate that the newer release alone has on is named, unless a write names it, and first if its
// source decides what is stored; one that is on in both, off in the newer one or gone is not.
func TestUnnamedGates(t *testing.T) {
	on, off := &diff.GateState{Stage: "BETA", Default: true}, &diff.GateState{Stage: "ALPHA"}
	gate := func(kind term.DifferenceKind, name string, old, new *diff.GateState) diff.Difference {
		return diff.Difference{Difference: kind, Name: name, Gates: []diff.Gate{{Name: name, Old: old, New: new}}}
	}
	all := []diff.Difference{
		gate(term.GateAdded, "Added", nil, on), gate(term.GateChanged, "Beta", off, on), gate(term.GateChanged, "InField", off, on), gate(term.GateChanged, "Stored", off, on),
		gate(term.GateChanged, "On", on, &diff.GateState{Stage: "GA", Default: true}), gate(term.GateChanged, "Off", off, &diff.GateState{Stage: "BETA"}), gate(term.GateAdded, "AddedOff", nil, off),
		gate(term.GateRemoved, "Gone", off, nil), gate(term.FieldAdded, "", off, on), gate(term.GateChanged, "Served", off, on),
	}
	usedIn := func(gate string) []string {
		return map[string][]string{"Stored": {"k8s.io/apiserver/pkg/server", "pkg/registry/core/pod"}, "Served": {"pkg/registry/core/rest", "pkg/apisx"}}[gate]
	}
	got := UnnamedGates(all, []Threshold{{Gate: "Other, InField"}}, usedIn)
	var names []string
	for _, g := range got {
		names = append(names, g.Name)
	}
	assert.Equal(t, []string{"Stored", "Beta", "Served", "Added"}, names)
	assert.Equal(t, Gate{Name: "Stored", Old: off, New: *on, Stores: true}, got[0])
	assert.Nil(t, got[3].Old)
	assert.NotNil(t, UnnamedGates(nil, nil, usedIn), "no list is null")
}
