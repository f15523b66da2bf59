package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/oracle/trace"

	"github.com/skewsim/skewsim/scenarios/term"
)

// storedForms says in which versions each release stored a kind, if the releases differ. A stored
// version that moves is no fault as long as both releases read both; but after a rollback both
// are in the store, which matters for removing a version.
func storedForms(ev *trace.Evidence) []string {
	forms := map[string]map[term.Role]map[string]bool{} // by kind
	for _, tl := range ev.Timelines {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			role := ev.Acts[v.Step].Role
			if v.Step == 0 || role == "" || v.Change.APIVersion == "" {
				continue
			}
			kind := tl.Manifest.Kind
			if forms[kind] == nil {
				forms[kind] = map[term.Role]map[string]bool{term.Old: {}, term.New: {}}
			}
			forms[kind][role][v.Change.APIVersion] = true
		}
	}
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(forms)) {
		was, is := slices.Sorted(maps.Keys(forms[kind][term.Old])), slices.Sorted(maps.Keys(forms[kind][term.New]))
		if len(was) > 0 && len(is) > 0 && !slices.Equal(was, is) {
			all = append(all, fmt.Sprintf("the stored version of %s moves: %s stores %s, and %s stores %s; each write stores the object in the version of the release that it goes through",
				kind, ev.History.Releases[term.Old].Version, strings.Join(was, " and "), ev.History.Releases[term.New].Version, strings.Join(is, " and ")))
		}
	}
	return all
}
