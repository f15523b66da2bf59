package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// One value under two names: a server that changes it under the one alone lets the
// two drift apart, whichever is written. Near misses are a server that changes both,
// one that shows the one alone, and a scenario that does not say that they are equal.
func TestEqual(t *testing.T) {
	play := func(equal bool, named string, makes ...edit) *story {
		s := mixed(t)
		if s.h.Header.Plan.Related = [][]string{{".spec.colour", ".spec.finish.tone"}}; equal {
			s.h.Header.Plan.Equal = s.h.Header.Plan.Related
		}
		s.create("bystander-1", `{"colour": "red", "finish": {"tone": "red"}}`)
		s.does(term.MergePatch, "bystander-1", object{}, makes, set(named, "blue"), via("a")) // step 4
		s.patch("bystander-1", via("b"))
		return s
	}
	const colour, tone = ".spec.colour", ".spec.finish.tone"
	play(true, colour).finds(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`)
	play(true, tone).finds(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
	play(true, colour, with(tone, "blue")).finds()
	play(true, colour, with(tone, nil)).finds()
	play(false, colour).finds()
	play(true, colour).says(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`,
		`of what step 4 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0)) stored a (v2.0.0) shows .spec.colour = "blue" and .spec.finish.tone = "red", which are one value under two names`)
}
