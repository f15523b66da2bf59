package blame

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// ClassifyOutages makes impacts of the findings that come of a program which was absent: calls
// that need it fail, whatever the releases are, and succeed again when it is back.
func ClassifyOutages(all []result.Finding) {
	for i := range all {
		if all[i].Cause == term.NoConverter {
			all[i].Class = term.Impact
		}
	}
}
