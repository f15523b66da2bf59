package oracle

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/plan"
)

// relatedPaths are the groups of paths that servers keep in step: whoever
// changes one of a group means all of it.
func relatedPaths(p plan.Plan) [][]fieldpath.Path {
	var groups [][]fieldpath.Path
	for _, texts := range p.Related {
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
func (e *evidence) meant(names []fieldpath.Path) []fieldpath.Path {
	all := slices.Clone(names)
	for _, group := range e.related {
		if slices.ContainsFunc(group, func(p fieldpath.Path) bool { return isAbout(names, p) }) {
			all = append(all, group...)
		}
	}
	return all
}

func isAbout(names []fieldpath.Path, p fieldpath.Path) bool {
	return slices.ContainsFunc(names, func(name fieldpath.Path) bool {
		return path.Contains(name, p) || path.Contains(p, name)
	})
}
