package fuzz

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// mistaken returns values of fields that the origin's release does not publish, and that
// the other release makes of fields which it does not publish itself: it decodes stored
// bytes as something else, as when a protobuf tag is used again. A copy without those
// fields shows whether a value is made of them: it also has defaults, and values that
// derive from fields that both publish.
func (t *Traveller) mistaken(ctx context.Context, object map[string]any, c *Copy, at Place) ([]Fact, error) {
	if at.Role == t.Origin.Role || at.APIVersion() != t.Origin.APIVersion() {
		return nil, nil
	}
	k, _ := t.Releases[at.Role].Schema.Kind(at.APIVersion(), at.Resource.Kind)
	known, unknown := k.Prune(runtime.DeepCopyJSON(object))
	if len(unknown) == 0 {
		return nil, nil
	}
	shown, err := t.strange(ctx, c.name, at)
	if err != nil || len(shown) == 0 {
		return nil, err
	}
	// Once more with all fields: a value that differs then too depends on something else.
	again, err := t.strangeOf(ctx, object, at)
	if err != nil || again == nil {
		return nil, err
	}
	without, err := t.strangeOf(ctx, known, at)
	if err != nil || without == nil {
		return nil, err
	}
	var from []string
	for _, p := range unknown {
		from = append(from, path.String(p))
	}
	var facts []Fact
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		v := shown[name]
		if again[name].Semantic == v.Semantic && without[name].Semantic != v.Semantic {
			facts = append(facts, Fact{Check: term.CheckNothingLost, Class: term.Violation, By: term.RuleStorage, Through: at,
				Diff: Difference{v.Path, term.Changed, nil, v.Value}, From: strings.Join(from, ", ")})
		}
	}
	return facts, nil
}

// strangeOf returns the strange values of a fresh copy; nil if there can be no copy.
func (t *Traveller) strangeOf(ctx context.Context, object map[string]any, at Place) (schema.Leaves, error) {
	c, _, err := t.Create(ctx, object)
	if err != nil || c == nil {
		return nil, err
	}
	return t.strange(ctx, c.name, at)
}

// strange returns the values that a place shows for a copy although the origin's release
// publishes no such fields; nil if the copy cannot be read.
func (t *Traveller) strange(ctx context.Context, name string, at Place) (schema.Leaves, error) {
	a, err := t.send(ctx, at, http.MethodGet, name, nil)
	if err != nil || !a.Succeeded() {
		return nil, err
	}
	served, err := t.leaves(at, a.Body)
	if err != nil {
		return nil, err
	}
	k, _ := t.Releases[t.Origin.Role].Schema.Kind(t.Origin.APIVersion(), t.Origin.Resource.Kind)
	maps.DeleteFunc(served, func(_ string, l schema.Leaf) bool {
		return l.Semantic == schema.Empty || theirOwn(l.Path) || k.Declares(l.Path)
	})
	return served, nil
}
