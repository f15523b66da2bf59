package trace

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// relatedPaths returns the groups of paths that servers keep in step: a change of one path
// changes the whole group.
func relatedPaths(p plan.Plan) [][]fieldpath.Path { return GroupsOf(p.Related) }

// GroupsOf parses groups of related paths.
func GroupsOf(all [][]string) [][]fieldpath.Path {
	var groups [][]fieldpath.Path
	for _, texts := range all {
		var group []fieldpath.Path
		for _, text := range texts {
			if at, err := path.Parse(text); err == nil {
				group = append(group, at)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// meant returns the paths, and all paths of each group that one of them touches: it is a path of
// the group, or above or below one.
func meant(ev *Evidence, names []fieldpath.Path) []fieldpath.Path {
	all := slices.Clone(names)
	for _, group := range ev.Related {
		if slices.ContainsFunc(group, func(p fieldpath.Path) bool { return IsAbout(names, p) }) {
			all = append(all, group...)
		}
	}
	return all
}

// IsAbout reports whether one of the names is the path, holds it, or is below it.
func IsAbout(names []fieldpath.Path, p fieldpath.Path) bool {
	return slices.ContainsFunc(names, func(name fieldpath.Path) bool {
		return path.Contains(name, p) || path.Contains(p, name)
	})
}

// Within returns the values at a path and below it.
func Within(at fieldpath.Path, leaves schema.Leaves) map[string]string {
	all := map[string]string{}
	for name, leaf := range leaves {
		if path.Contains(at, leaf.Path) {
			all[name] = leaf.Semantic
		}
	}
	return all
}
