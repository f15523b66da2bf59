package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// TestHasKind: a kind is named alone, or with its group.
func TestHasKind(t *testing.T) {
	for apiVersion, in := range map[string]map[string]bool{
		"apps/v1": {"Set": true, "Set.apps": true, "Set.extensions": false, "Other": false},
		"v1":      {"Set": true, "Set.v1": false},
	} {
		for name, want := range in {
			assert.Equal(t, want, Scope{Kinds: []string{name}}.HasKind(apiVersion, "Set"), "%s of %s", name, apiVersion)
		}
		assert.True(t, Scope{}.HasKind(apiVersion, "Set"))
	}
}

// TestHasUnexplained: the rows of a kind that no difference explains are in one shard, and in none of a
// sweep of some paths.
func TestHasUnexplained(t *testing.T) {
	owners := 0
	for shard := 1; shard <= 3; shard++ {
		if (Scope{Shard: shard, Shards: 3}).HasUnexplained("v1", "Thing") {
			owners++
		}
	}
	assert.Equal(t, 1, owners)
	assert.False(t, Scope{Paths: []string{".spec.a"}}.HasUnexplained("v1", "Thing"))
}

// TestOver: a part has the rows of its own kinds, and knows every difference.
func TestOver(t *testing.T) {
	of := func(kind string) diff.Difference {
		return diff.Difference{Difference: term.FieldAdded, Version: "v1", Kind: kind, Path: ".spec.a", Places: []diff.Place{{APIVersion: "v1", Kind: kind, Path: ".spec.a"}}}
	}
	compared := diff.Result{Differences: []diff.Difference{of("A"), of("B")}}
	over, parts, err := Scope{Kinds: []string{"B"}}.Over(compared)
	assert.NoError(t, err)
	assert.Len(t, over.Whole, 2)
	assert.Len(t, parts, 1)
	assert.Equal(t, "B", parts[0].Kind)
	assert.True(t, over.IsPart())
	_, _, err = Scope{Kinds: []string{"C"}}.Over(compared)
	assert.Error(t, err)
}

// TestIsPart: all kinds and paths in one shard are no part.
func TestIsPart(t *testing.T) {
	for _, whole := range []Scope{{}, {Shard: 1, Shards: 1}, {AllPaths: true}} {
		assert.False(t, whole.IsPart(), whole)
	}
	for _, part := range []Scope{{Shard: 1, Shards: 2}, {Kinds: []string{"A"}}, {Paths: []string{".a"}}} {
		assert.True(t, part.IsPart(), part)
	}
}

// TestParts: each place of a difference is a part with all paths, but for those of a gate; parts that nothing
// tells apart have different IDs, and others keep theirs.
func TestPartsOfScope(t *testing.T) {
	places := []diff.Place{{APIVersion: "apps/v1", Kind: "A", Path: ".spec.a"}, {APIVersion: "v1", Kind: "B", Path: ".spec.b"}}
	field := diff.Difference{Difference: term.FieldAdded, Group: "apps", Version: "v1", Kind: "A", Path: ".spec.a", Places: places}
	gate := diff.Difference{Difference: term.GateChanged, Name: "G", Places: places}
	_, one, err := Scope{}.Over(diff.Result{Differences: []diff.Difference{field, gate, field}})
	assert.NoError(t, err)
	assert.Len(t, one, 3)
	assert.Equal(t, one[0].ID+"#ii", one[2].ID)
	_, all, err := Scope{AllPaths: true}.Over(diff.Result{Differences: []diff.Difference{field, gate}})
	assert.NoError(t, err)
	var got []string
	for _, p := range all {
		assert.NotContains(t, p.ID, "#")
		got = append(got, p.Group+" "+p.Version+" "+p.Kind+" "+p.Path)
	}
	assert.Equal(t, []string{"apps v1 A .spec.a", " v1 B .spec.b", "   "}, got)
	assert.Len(t, all[0].Places, 1)
	assert.Len(t, all[2].Places, 2)
}

// TestIsPermitted: a value that a hint names is not played where its gate is off in both releases; a field
// that the source names is, since a server may store it all the same.
func TestIsPermitted(t *testing.T) {
	off, on := &diff.GateState{Stage: "ALPHA"}, &diff.GateState{Stage: "BETA", Default: true}
	for name, c := range map[string]struct {
		gate diff.Gate
		want bool
	}{
		"of a hint, off":            {diff.Gate{Old: off, New: off}, false},
		"of a hint, new and off":    {diff.Gate{New: off}, false},
		"of a hint, on in one":      {diff.Gate{Old: off, New: on}, true},
		"of a hint, off in the new": {diff.Gate{Old: on, New: off}, true},
		"of a tag, off":             {diff.Gate{Source: term.FromTag, New: off}, true},
	} {
		assert.Equal(t, c.want, IsPermitted(diff.Difference{Gates: []diff.Gate{c.gate}}), name)
	}
}

// TestIDsOfInlined: fields of one name in the inlined structs of one definition have IDs of their own, which depend
// neither on what else a sweep plays nor on the order of the fields.
func TestIDsOfInlined(t *testing.T) {
	of := func(path string) diff.Difference {
		return diff.Difference{Difference: term.FieldAdded, Group: "example.com", Version: "v1", Kind: "Widget", Type: "com.example.v1.Widget", Path: path,
			Places: []diff.Place{{APIVersion: "example.com/v1", Kind: "Widget", Path: path}}}
	}
	ids := func(s Scope, all ...diff.Difference) map[string]string {
		_, parts, err := s.Over(diff.Result{Differences: all})
		require.NoError(t, err)
		by := map[string]string{}
		for _, p := range parts {
			by[p.Path] = p.ID
		}
		return by
	}
	whole := ids(Scope{}, of(".spec.a.image"), of(".spec.b.image"), of(".spec.c"))
	assert.Len(t, whole, 3)
	assert.NotEqual(t, whole[".spec.a.image"], whole[".spec.b.image"])
	assert.Equal(t, whole, ids(Scope{}, of(".spec.b.image"), of(".spec.c"), of(".spec.a.image")))
	assert.Equal(t, whole[".spec.b.image"], ids(Scope{Paths: []string{".spec.b"}}, of(".spec.a.image"), of(".spec.b.image"))[".spec.b.image"])
	assert.Equal(t, "field-added/com.example.v1.Widget/c", whole[".spec.c"], "what nothing else is named like keeps its ID")
}
