package scenarios

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Twin is a release that is wrong on purpose: the new release, or the old one,
// made with one of the mistakes that Kubernetes' guide warns of.
type Twin struct {
	// About says what the mistake is.
	About string `json:"about" jsonschema:"required" jsonschema_description:"The mistake in one or two sentences, and what the guide says of it. Every report shows it."`
	// Of is the release that is made with it. Default new.
	Of term.Role `json:"of,omitempty" jsonschema_description:"The release that is made with the mistake: old or new; default new."`
	// Caught describes the finding that catches the twin. What another check
	// finds, or the same at another step, does not.
	Caught Expectation `json:"caught" jsonschema:"required" jsonschema_description:"The finding that catches the twin, as a line of expect; it says through which release, or at which stage."`
}

// TwinComponent is the component whose releases have twins.
const TwinComponent = "frobber"

// IsTwin tells whether a build's reference names a release that is made otherwise
// than the right one: frobber@1.1+required.
func IsTwin(reference string) bool {
	of, _, _ := strings.Cut(reference, "@")
	return (of == TwinComponent || strings.HasPrefix(reference, ManifestComponent+":")) && strings.Contains(reference, "+")
}

// FullName is the scenario's name with that of the twin it plays:
// add-field+required.
func (s *Scenario) FullName() string {
	if s.Twin == "" {
		return s.Name
	}
	return s.Name + "+" + s.Twin
}

// ExpectsViolation is the line of the first expectation of a violation; 0: there is
// none. Such a scenario shows what goes wrong, on right releases too.
func (s *Scenario) ExpectsViolation() int {
	for _, e := range s.Expect {
		if slices.Contains(e.Class, term.Violation) {
			return e.Line
		}
	}
	return 0
}

// TwinNames lists the names of the twins, sorted.
func (s *Scenario) TwinNames() []string { return slices.Sorted(maps.Keys(s.Twins)) }

// caughtBy is the place in the document of what catches a twin.
func caughtBy(twin string) string { return strict.Join("mutants", twin) + ".caught" }
