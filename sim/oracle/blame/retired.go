package blame

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// Retired reports whether the new release has dropped a field that the old one publishes as
// removable, or has behind an alpha gate. For fields of the change, rule-6 says what is expected.
func Retired(ev *trace.Evidence, tl *trace.Timeline, p fieldpath.Path) bool {
	if ev.Declares(term.New, tl, p) {
		return false
	}
	kind, _ := ev.Schemas[term.Old].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	if !kind.Declares(p) {
		return false
	}
	later, _ := ev.Schemas[term.New].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return kind.Gating().MayGo(p) || kind.Gating().MayGoWith(ev.History.Releases[term.Old].Alpha, later.Lacks(p))
}
