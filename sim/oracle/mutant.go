package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// caughtMutant reports whether the findings include what the scenario says catches the mutant
// that was run. A finding of another check or elsewhere does not count: a mistake that is found
// by chance is missed after the next change. It returns nil if the releases were right.
func caughtMutant(mutant *plan.Mutant, findings []result.Finding) *result.Mutant {
	if mutant == nil {
		return nil
	}
	t := &result.Mutant{Name: mutant.Name, About: mutant.About, Expectation: mutant.Caught}
	first := result.Finding{}
	for _, f := range findings {
		if f.Expected || f.Expectation > 0 || f.Order > 0 && mutant.Caught.Count > 0 || !agrees(mutant.Caught, f) {
			continue // the right release gives what is expected too; and orders are not counted
		}
		if t.Seen++; t.Seen == 1 {
			first = f
		}
	}
	t.Caught = t.Seen > 0 && (mutant.Caught.Count == 0 || mutant.Caught.Count == t.Seen)
	switch want := summary(mutant.Caught); {
	case t.Caught:
		t.Message = fmt.Sprintf("caught by %s: %s with %q, the first in step %d (%s)", mutant.Caught.Check, term.Counted(t.Seen, "finding agrees", "findings agree"), want, first.Step, first.Stage)
	case t.Seen > 0:
		t.Message = fmt.Sprintf("missed: %s with %q, and count says %d", term.Counted(t.Seen, "finding agrees", "findings agree"), want, mutant.Caught.Count)
	default:
		t.Message = fmt.Sprintf("missed: no finding agrees with %q", want)
	}
	return t
}
