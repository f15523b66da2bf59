package evidence

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// relatedPaths are the groups of paths that servers keep in step: whoever
// changes one of a group means all of it.
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

// meant are paths with those of each group that one of them is about: it leads
// to a path of the group, above it or below it.
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

// Within are the values at a path and below it.
func Within(at fieldpath.Path, leaves schema.Leaves) map[string]string {
	all := map[string]string{}
	for name, leaf := range leaves {
		if path.Contains(at, leaf.Path) {
			all[name] = leaf.Semantic
		}
	}
	return all
}
