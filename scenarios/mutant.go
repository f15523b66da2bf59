package scenarios

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Mutant is a deliberately wrong release: the new release, or the old one, with one of the
// mistakes that Kubernetes' guide warns of.
type Mutant struct {
	// About describes the mistake.
	About string `json:"about" jsonschema:"required" jsonschema_description:"The mistake in one or two sentences, and what the guide says of it. Every report shows it."`
	// Of is the release that has the mistake. Default new.
	Of term.Role `json:"of,omitempty" jsonschema_description:"The release that has the mistake: old or new; default new."`
	// Caught describes the finding that catches the mutant. A finding of another check, or at
	// another step, does not catch it.
	Caught Expectation `json:"caught" jsonschema:"required" jsonschema_description:"The finding that catches the mutant, as a line of expect, with the release (via), the stage or both."`
}

// MutantComponent is the component whose releases have mutants.
const MutantComponent = "frobber"

// IsMutant reports whether a reference names a deliberately wrong release:
// frobber@1.1+required.
func IsMutant(reference string) bool {
	of, _, _ := strings.Cut(reference, "@")
	return (of == MutantComponent || strings.HasPrefix(reference, ManifestComponent+":")) && strings.Contains(reference, "+")
}

// FullName returns the scenario's name with the name of the mutant that it plays:
// add-field+required.
func (s *Scenario) FullName() string {
	if s.Mutant == "" {
		return s.Name
	}
	return s.Name + "+" + s.Mutant
}

// ExpectsViolation returns the line of the first expectation of a violation, or 0. A scenario
// with one shows a fault of correct releases.
func (s *Scenario) ExpectsViolation() int {
	for _, e := range s.Expect {
		if slices.Contains(e.Class, term.Violation) {
			return e.Line
		}
	}
	return 0
}

// MutantNames returns the names of the mutants, sorted.
func (s *Scenario) MutantNames() []string { return slices.Sorted(maps.Keys(s.Mutants)) }

// caughtBy returns the place in the document of a mutant's caught.
func caughtBy(mutant string) string { return strict.Join("mutants", mutant) + ".caught" }
