package load

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

func (v expectChecks) mutants() {
	if v.given("mutants") && len(v.s.Mutants) == 0 {
		v.fail("mutants", "empty: give it a mutant, or leave the key out")
	}
	if len(v.s.Mutants) > 0 && v.s.Releases.Of != scenarios.MutantComponent && v.s.Releases.Of != scenarios.ManifestComponent {
		v.fail("mutants", "only releases of %s and %s have mutants, and this is a scenario of %s", scenarios.MutantComponent, scenarios.ManifestComponent, strict.Quote(v.s.Releases.Of))
	}
	if v.tooMany("mutants", len(v.s.Mutants)) {
		return
	}
	for _, name := range v.s.MutantNames() {
		mutant, at := v.s.Mutants[name], strict.Join("mutants", name)
		if why := BadName(name); why != "" {
			v.fail(at, "%s: %s", strict.Quote(name), why)
		}
		if v.given(at+".about") && strings.TrimSpace(mutant.About) == "" {
			v.fail(at+".about", "empty: say what the mistake is")
		}
		if v.given(at + ".caught") {
			v.caught(at+".caught", &mutant.Caught)
		}
		v.s.Mutants[name] = mutant
	}
}

// caught checks the expectation that catches a mutant. It must name the place, because a
// finding at another place is caused by another mistake.
func (v expectChecks) caught(at string, e *scenarios.Expectation) {
	v.expectation(at, e)
	for _, key := range []string{"when", "owner", "until", "why"} {
		if v.given(strict.Join(at, key)) {
			v.fail(strict.Join(at, key), "is for lines of expect: what catches a mutant is the same for every pair and on every day")
		}
	}
	if !v.given(at+".via") && !v.given(at+".stage") {
		v.fail(at, "does not say where: give it via, stage or both")
	}
}
