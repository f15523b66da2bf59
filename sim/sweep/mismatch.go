package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Mismatch is a difference between the hand-written and the declarative validation of a release,
// which its servers logged. Each raises the server's metric
// apiserver_validation_declarative_validation_mismatch_total.
type Mismatch struct {
	Lap     term.Lap  `json:"lap"`
	Release term.Role `json:"release"`
	Field   string    `json:"field"` // without indices
	Error   string    `json:"error"` // such as Invalid value
	// Extra reports that declarative validation refuses what hand-written validation accepts; if
	// not, it accepts what hand-written validation refuses.
	Extra bool `json:"extra"`
	// Shadowed reports that declarative validation is not enforced, so that no client is affected yet.
	Shadowed bool `json:"shadowed"`
	Count    int  `json:"count"`
}

// MergedMismatches returns mismatches with the counts of equal ones added, those that affect clients first.
func MergedMismatches(all []Mismatch) (merged []Mismatch) {
	counts := map[Mismatch]int{}
	for _, m := range all {
		n := m.Count
		m.Count = 0
		counts[m] += n
	}
	for m, n := range counts {
		m.Count = n
		merged = append(merged, m)
	}
	slices.SortFunc(merged, func(a, b Mismatch) int {
		return cmp.Or(firstMismatch(b.Shadowed, a.Shadowed), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Error, b.Error),
			cmp.Compare(a.Lap, b.Lap), cmp.Compare(b.Release, a.Release), firstMismatch(a.Extra, b.Extra))
	})
	return merged
}

// firstMismatch orders what has a property before what has not.
func firstMismatch(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// String says what the servers logged.
func (m Mismatch) String() string {
	differs := "accepts what hand-written validation refuses"
	if m.Extra {
		differs = "refuses what hand-written validation accepts"
	}
	answers := "which is enforced"
	if m.Shadowed {
		answers = "which is not enforced"
	}
	return fmt.Sprintf("%s lap, %s release, %s (%s): declarative validation, %s, %s; %s", m.Lap, m.Release, m.Field, m.Error, answers, differs, term.Numbered(m.Count, "time"))
}
