package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// substitutes returns notes on what replaced something that was not available: another patch
// release, or another version of a module.
func substitutes(h *history.History) (all []string) {
	add := func(note string) {
		if !slices.Contains(all, note) { // an A/A run has one release twice
			all = append(all, note)
		}
	}
	const other = "%s not byte for byte what was released: not all modules were available, and other versions replace them: %s"
	for _, role := range []term.Role{term.Old, term.New} {
		r := h.Releases[role]
		played := cmp.Or(r.Server, r.Version) // manifests are installed on a server
		if r.Asked != "" {
			add(fmt.Sprintf("%s replaced %s, which was not available: another patch of the same minor", played, r.Asked))
		}
		if len(r.Substituted) > 0 {
			add(fmt.Sprintf(other, played+" is", strings.Join(r.Substituted, ", ")))
		}
		if r.Typed != nil && len(r.Typed.Substituted) > 0 {
			add(fmt.Sprintf(other, "the typed clients of "+r.Typed.Version+" are", strings.Join(r.Typed.Substituted, ", ")))
		}
	}
	return all
}
