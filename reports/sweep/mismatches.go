package sweep

import "github.com/skewsim/skewsim/sim/sweep"

// mismatchTitle is the heading of what servers logged of their own validation.
const mismatchTitle = "Mismatches of validation"

// mismatches returns what servers logged of their own validation, one line each.
func mismatches(r sweep.Result) (lines []string) {
	for _, m := range r.Mismatches {
		lines = append(lines, m.String())
	}
	return lines
}
