package scenarios

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// leaves returns the paths that a merge patch without lists means to change:
// those of its values, and of the maps that carry a strategic merge patch's
// directive, such as $patch: replace, as a whole. An empty map changes nothing
// below it, so it names nothing.
func leaves(body any) []string {
	var names []string
	if _, isMap := body.(map[string]any); isMap && !ReplacesRoot(body) {
		collectLeaves(body, nil, &names)
	}
	return names
}

func collectLeaves(node any, at fieldpath.Path, names *[]string) {
	fields, isMap := node.(map[string]any)
	if isMap && !hasDirective(fields) {
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			collectLeaves(fields[key], append(at.Copy(), fieldpath.FieldNameElement(key)), names)
		}
		return
	}
	*names = append(*names, path.String(at))
}

func hasDirective(fields map[string]any) bool {
	for key := range fields {
		if strings.HasPrefix(key, "$") {
			return true
		}
	}
	return false
}
