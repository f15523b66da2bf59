package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// caughtTwin holds the findings against what the scenario says catches the twin
// that was played. What another check found, or the same one elsewhere, does
// not: a mistake that is found by chance is missed by the next change. Nil: the
// releases were right.
func caughtTwin(twin *plan.Twin, findings []result.Finding) *result.Twin {
	if twin == nil {
		return nil
	}
	t := &result.Twin{Name: twin.Name, About: twin.About, Expectation: twin.Caught}
	first := result.Finding{}
	for _, f := range findings {
		if f.Expected || f.Expectation > 0 || f.Order > 0 && twin.Caught.Count > 0 || !agrees(twin.Caught, f) {
			continue // the right release gives what is expected too; and orders are not counted
		}
		if t.Seen++; t.Seen == 1 {
			first = f
		}
	}
	t.Caught = t.Seen > 0 && (twin.Caught.Count == 0 || twin.Caught.Count == t.Seen)
	switch want := summary(twin.Caught); {
	case t.Caught:
		t.Message = fmt.Sprintf("caught by %s: %d findings agree with %q, the first in step %d (%s)", twin.Caught.Check, t.Seen, want, first.Step, first.Stage)
	case t.Seen > 0:
		t.Message = fmt.Sprintf("missed: %d findings agree with %q, and count says %d", t.Seen, want, twin.Caught.Count)
	default:
		t.Message = fmt.Sprintf("missed: no finding agrees with %q", want)
	}
	return t
}
