package scope

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
