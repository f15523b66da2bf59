package sweep

import (
	"slices"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Different returns the findings without those on a duration that is spelled in another way, as generators
// of definitions do with defaults: 1h is 1h0m0s.
func Different(all []result.Finding) []result.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f result.Finding) bool {
		before, isText := f.Before.(string)
		after, isOther := f.After.(string)
		if !isText || !isOther || f.Outcome != term.Changed {
			return false
		}
		one, errOne := time.ParseDuration(before)
		other, errOther := time.ParseDuration(after)
		return errOne == nil && errOther == nil && one == other
	})
}
