package scenarios

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// leaves returns the paths that a merge patch without lists means to change: the paths of its
// values. A map with a directive of the strategic merge patch, such as $patch: replace, counts
// as one value. An empty map changes nothing, so it names nothing.
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
