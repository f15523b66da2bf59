package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestFieldsWithPublishedRules: a field whose rule is a difference already is not tried a second
// time; one that differs in another way, or whose namesake in another kind has the rule, is.
func TestFieldsWithPublishedRules(t *testing.T) {
	const apiVersion, kind, path = "example.dev/v1", "Thing", ".spec.tries"
	serves := published.Release{Resources: []published.Resource{{APIVersion: apiVersion, Kind: kind}}}
	object := sweep.Object{
		Target:   sweep.Target{Target: try.Target{APIVersion: apiVersion, Kind: kind}},
		Specimen: try.Specimen{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "spec": map[string]any{"tries": int64(1)}}},
	}
	for _, c := range []struct {
		name, kind string
		difference term.DifferenceKind
		tried      int
	}{
		{"a rule", kind, term.RuleTightened, 0},
		{"a default", kind, term.DefaultChanged, 1},
		{"a rule of another kind", "Gadget", term.RuleTightened, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := diff.Difference{Difference: c.difference, Places: []diff.Place{{APIVersion: apiVersion, Kind: c.kind, Path: path}}}
			s := lapRun{session: &session{
				parts: []sweep.Row{{Difference: d}},
				plain: map[term.Role]published.Release{term.Old: serves, term.New: serves},
			}}
			assert.Len(t, s.fieldsOf(object, newDocuments(s.at)), c.tried)
		})
	}
}

// TestShownInOnePart: what servers accept of a field is in the part that has the published difference which is
// why, or, without one, in the part of its kind: never in two.
func TestShownInOnePart(t *testing.T) {
	of := func(name, path, rule string) sweep.Row {
		d := diff.Difference{Difference: term.RuleTightened, Group: "example.dev", Version: "v1", Kind: "Thing", Path: path, Name: name, New: rule, Playable: true}
		return sweep.Row{ID: name + path, Difference: d}
	}
	published, other := of("a rule", ".spec", "self.tries < 3"), of("a rule", ".status", "self.tries < 3")
	shown := of(sweep.Unstated, ".spec.tries", "")
	for name, c := range map[string]struct {
		parts []sweep.Row
		place string // what decides the part
	}{
		"explained":   {[]sweep.Row{other, published}, published.ID},
		"unexplained": {[]sweep.Row{other}, "example.dev/v1 Thing"},
	} {
		const shards = 7
		var parts []int
		for shard := 1; shard <= shards; shard++ {
			s := &session{parts: c.parts, scope: sweep.Scope{Shard: shard, Shards: shards}}
			if hasShown(s, shown) {
				parts = append(parts, shard)
				assert.True(t, s.scope.HasID(c.place), name)
			}
		}
		assert.Len(t, parts, 1, name)
	}
	assert.True(t, hasShown(&session{parts: []sweep.Row{published}}, shown), "a sweep of all parts")
}
