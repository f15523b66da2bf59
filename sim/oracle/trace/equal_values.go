package trace

import (
	"maps"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

// Same reports whether two values mean the same at a path of the copy's kind.
func Same(tl *Timeline, p fieldpath.Path, a, b any) bool {
	one, other := holding(tl, p, a), holding(tl, p, b)
	return b != nil && maps.EqualFunc(one, other, func(x, y schema.Leaf) bool { return x.Semantic == y.Semantic })
}

// holding returns the leaves of an object that holds only the value.
func holding(tl *Timeline, p fieldpath.Path, v any) schema.Leaves {
	object := map[string]any{}
	if err := path.Set(object, p, v); err != nil {
		return schema.Leaves{path.String(p): {Path: p, Value: v, Semantic: schema.Text(v)}}
	}
	return LeavesIn(tl.Kind, object)
}
