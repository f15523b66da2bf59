package try

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/objects"
)

// TestLesson: the second object of a kind is filled as the first, with a few requests.
func TestLesson(t *testing.T) {
	c, f := config(t)
	filled := Target{APIVersion: "example.dev/v1", Kind: "Widget", Filled: true}
	_, err := Specimens(t.Context(), c, []Target{filled})
	require.NoError(t, err)
	alone := f.asked
	got, err := Specimens(t.Context(), c, []Target{filled, filled})
	require.NoError(t, err)
	assert.Equal(t, got[0].Object, got[1].Object)
	second := f.asked - 2*alone
	assert.Less(t, second, alone*2/3, "of %d for the first", alone)
}

// TestTeachers: the first filled object of a kind and part, whatever the order in which they are made, teaches the others.
func TestTeachers(t *testing.T) {
	of := func(kind, path string, filled bool) Target {
		return Target{APIVersion: "v1", Kind: kind, Path: path, Filled: filled}
	}
	targets := []Target{of("A", "", false), of("A", ".spec.x", true), of("A", "", true), of("A", ".status.y", true), of("B", "", true)}
	teachers := teachersOf(targets)
	require.Len(t, teachers, 3)
	assert.Equal(t, 1, teachers[targets[2].kind()].index)
	assert.Equal(t, []int{1, 3, 4, 0, 2}, inOrder(targets, teachers))
}

// TestTaught: what the first object did not take is left out of others, unless it is beside what they are for.
func TestTaught(t *testing.T) {
	refused := map[string]bool{".spec.parts[].name": true, ".spec.colour": true}
	missing := func(target string) []string {
		c, _ := config(t)
		e := newExerciser(c)
		k, why := e.kindOf("example.dev/v1", "Widget")
		require.Empty(t, why)
		f := &filling{exerciser: e, kind: k, published: k.generate, specimen: &Specimen{Target: Target{Path: target}, Object: map[string]any{}}, known: lesson{refused: refused}}
		return f.missing(nil)
	}
	assert.NotContains(t, missing(".spec.size"), ".spec.parts[].name")
	assert.Contains(t, missing(".spec.size"), ".spec.colour", "beside the target")
	assert.Contains(t, missing(".spec.parts[].weight"), ".spec.parts[].name")
	assert.NotContains(t, missing(".spec.parts[].weight"), ".spec.colour")
}

// TestBlamed: fields that a place is in are blamed before those within a place.
func TestBlamed(t *testing.T) {
	l := laid{at: map[string]objects.Location{".a.b": {"a", "b"}, ".a.c": {"a", "c"}, ".d": {"d"}}}
	for want, places := range map[string][]objects.Location{".a.b": {{"a", "b", "0", "x"}}, ".d": {{"d"}, {"a"}}, ".a.b .a.c": {{"a"}}, "": {{"e"}}} {
		got := slices.Sorted(maps.Keys(l.blamed(places)))
		assert.Equal(t, want, strings.Join(got, " "))
	}
}
