package scenarios

import (
	"fmt"
	"slices"
	"strings"

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

// ofTwins is the component whose releases have twins.
const ofTwins = "frobber"

// IsTwin tells whether a build's reference names a release that is made otherwise
// than the right one: frobber@1.1+required.
func IsTwin(reference string) bool {
	of, _, _ := strings.Cut(reference, "@")
	return (of == ofTwins || strings.HasPrefix(reference, ofManifests+":")) && strings.Contains(reference, "+")
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
func (s *Scenario) TwinNames() []string { return sortedKeys(s.Twins) }

// cutTwin takes a twin's name off a scenario's. A file's own name, and those of
// the folders it lies in, may hold a plus sign: of a file only what follows its
// ending is a twin.
func cutTwin(name string) (scenario, twin string, isTwin bool) {
	if isFile(name) {
		return name, "", false
	}
	if at := strings.LastIndex(name, "+"); at >= 0 && isFile(name[:at]) {
		return name[:at], name[at+1:], true
	}
	return strings.Cut(name, "+")
}

// play has the scenario play one of its twins.
func (s *Scenario) play(twin string) error {
	if _, known := s.Twins[twin]; known {
		s.Twin = twin
		return nil
	}
	if len(s.Twins) == 0 {
		return fmt.Errorf("scenario %s: has no twins, so none named %s", quote(s.Name), quote(twin))
	}
	names := s.TwinNames()
	near := nearest(twin, names)
	if near != "" {
		near = fmt.Sprintf(": did you mean %q?", near)
	}
	return fmt.Errorf("scenario %s: unknown twin %s (twins: %s)%s", quote(s.Name), quote(twin), strings.Join(names, ", "), near)
}

// caughtBy is the place in the document of what catches a twin.
func caughtBy(twin string) string { return join("twins", twin) + ".caught" }

func (v *validator) twins() {
	if v.given("twins") && len(v.s.Twins) == 0 {
		v.fail("twins", "empty: give it a twin, or leave the key out")
	}
	if len(v.s.Twins) > 0 && v.s.Releases.Of != ofTwins && v.s.Releases.Of != ofManifests {
		v.fail("twins", "only releases of %s and %s have twins, and this is a scenario of %s", ofTwins, ofManifests, quote(v.s.Releases.Of))
	}
	if v.tooMany("twins", len(v.s.Twins)) {
		return
	}
	for _, name := range v.s.TwinNames() {
		twin, at := v.s.Twins[name], join("twins", name)
		if why := badName(name); why != "" {
			v.fail(at, "%s: %s", quote(name), why)
		}
		if v.given(at+".about") && strings.TrimSpace(twin.About) == "" {
			v.fail(at+".about", "empty: say what the mistake is")
		}
		if v.given(at + ".caught") {
			v.caught(at+".caught", &twin.Caught)
		}
		v.s.Twins[name] = twin
	}
}

// caught checks what catches a twin. It must say where, for a mistake that
// shows somewhere else is not the one that was made.
func (v *validator) caught(at string, e *Expectation) {
	v.expectation(at, e)
	for _, key := range []string{"when", "owner", "until", "why"} {
		if v.given(join(at, key)) {
			v.fail(join(at, key), "is for lines of expect: what catches a twin is the same for every pair and on every day")
		}
	}
	if !v.given(at+".via") && !v.given(at+".stage") {
		v.fail(at, "says not where: give it via, stage or both")
	}
}
