package load

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
)

// maxName bounds the names of scenarios and objects: they are parts of the names of namespaces
// and copies, which have at most 63 characters.
const maxName = 40

// validator checks a decoded scenario.
type validator struct {
	*strict.Problems
	s      *scenarios.Scenario
	stages []string   // of the journey, for at and stage
	marks  [][]string // the names of each confidential path
}

// The checks of each part of a scenario.
type (
	releaseChecks struct{ *validator } // of the releases and their options
	objectChecks  struct{ *validator } // of objects and confidential values
	lineChecks    struct{ *validator } // of the lines of play
	expectChecks  struct{ *validator } // of expectations and mutants
)

// Validate adds everything wrong with a decoded scenario to the problems: in its parts, and
// between them. It reports nothing at places where the decoder has reported a problem. It
// normalizes the spelling of paths.
func Validate(s *scenarios.Scenario, p *strict.Problems) {
	v := validator{Problems: p, s: s}
	v.scenario()
}

func (v *validator) scenario() {
	v.name()
	v.about()
	v.replicas()
	v.journey()
	v.orders()
	v.stages = scenarios.StageNames(v.s.Journey, v.s.Replicas, v.s.Releases.Programs != "" || scenarios.MovesPrograms(v.s.Journey))
	releaseChecks{v}.releases()
	releaseChecks{v}.options()
	objectChecks{v}.confidential()
	v.objects()
	v.related()
	lineChecks{v}.play()
	expectChecks{v}.expect()
	expectChecks{v}.mutants()
}

// fail adds a problem at a place of the document, unless the decoder has reported one there.
func (v *validator) fail(at, format string, args ...any) {
	if !v.Reported(at) {
		v.Add(v.s.LineOf(at), at, format, args...)
	}
}

func (v *validator) given(at string) bool {
	_, given := v.s.Lines[at]
	return given
}

// tooMany refuses lists that nobody writes by hand, before further checks take time on them.
func (v *validator) tooMany(list string, n int) bool {
	if n > scenarios.MaxLines {
		v.fail(list, "%d entries: at most %d", n, scenarios.MaxLines)
	}
	return n > scenarios.MaxLines
}

// name checks the scenario's name, which is that of the file.
func (v *validator) name() {
	base, isYAML := strings.CutSuffix(filepath.Base(v.s.File), ".yaml")
	if !isYAML {
		v.Add(0, "", "the name of a scenario's file ends in .yaml")
		return
	}
	if !v.given("name") {
		v.s.Name = base
		if why := BadName(base); why != "" {
			v.Add(0, "", "the file's name is the scenario's, and %s: %s", strict.Quote(base), why)
		}
		return
	}
	if v.s.Name != base {
		v.fail("name", "%s differs from the file's name: want %q", strict.Quote(v.s.Name), base)
		return
	}
	if why := BadName(v.s.Name); why != "" {
		v.fail("name", "%s: %s", strict.Quote(v.s.Name), why)
	}
}

// BadName returns why a name cannot be part of a Kubernetes object's name, or "".
func BadName(name string) string {
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("longer than %d characters", maxName)
	case len(validation.IsDNS1123Label(name)) > 0:
		return `a name is made of lower-case letters, digits and "-", and starts and ends with a letter or digit`
	}
	return ""
}

func (v *validator) about() {
	if v.given("about") && strings.TrimSpace(v.s.About) == "" {
		v.fail("about", "empty: say what the scenario shows")
	}
}

func (v *validator) replicas() {
	if v.given("replicas") && (v.s.Replicas < 1 || v.s.Replicas > scenarios.MaxReplicas || v.Reported("replicas")) {
		v.fail("replicas", "%d is not between 1 and %d", v.s.Replicas, scenarios.MaxReplicas)
		v.s.Replicas = scenarios.DefaultReplicas
	}
	if v.s.Releases.Of == scenarios.ManifestComponent && v.s.Replicas > 1 {
		v.fail("replicas", "%d: the store contains the definitions, so all replicas change at once: with %s there is one replica", v.s.Replicas, scenarios.ManifestComponent)
		v.s.Replicas = 1
	}
	if v.s.Surge && v.s.Replicas != 2 && !v.Reported("replicas") {
		v.fail("surge", "it needs two replicas, one for each release, and the scenario has %d", v.s.Replicas)
		v.s.Surge = false
	}
}

func (v *validator) orders() {
	if v.given("orders") && (v.s.Orders < 0 || v.s.Orders > scenarios.MaxOrders) {
		v.fail("orders", "%d is not between 0 and %d", v.s.Orders, scenarios.MaxOrders)
	}
	if at := v.s.ExpectsViolation(); v.s.Orders > 0 && at > 0 {
		v.fail("orders", "the scenario expects a violation, in line %d: orders check that there is no violation in any order", at)
	}
}

func (v *validator) journey() {
	why := badJourney(v.s.Journey, v.s.Replicas)
	if why == "" && scenarios.MovesPrograms(v.s.Journey) && v.s.Releases.Of != scenarios.ManifestComponent {
		why = "program-rollback and forgotten move the programs of custom resources, and this is a scenario of " + strict.Quote(v.s.Releases.Of)
	}
	if why == "" && !v.Reported("journey") {
		return
	}
	v.fail("journey", "%s", why)
	v.s.Journey = scenarios.DefaultJourney()
}

func badJourney(journey []term.Rollout, replicas int) string {
	if len(journey) > scenarios.MaxRollouts {
		return fmt.Sprintf("%d roll-outs: at most %d", len(journey), scenarios.MaxRollouts)
	}
	installed := term.Old // the release whose definitions, or servers, there are
	for i, leg := range journey {
		runs := scenarios.ProgramBefore(journey, i)
		switch {
		case leg == term.Halt && i > 0 && scenarios.MovesServers(journey[i-1]):
			return badHalt(i == len(journey)-1, replicas)
		case leg == term.Upgrade && installed == term.Old:
			installed = term.New
		case leg == term.Rollback && installed == term.New:
			installed = term.Old
		case leg == term.ProgramRollback && installed == term.New && runs == term.New, leg == term.Forgotten && installed == term.Old && runs == term.Old:
		case i == 0:
			return fmt.Sprintf("starts with %q: a journey starts on the old release, with %q", leg, term.Upgrade)
		case scenarios.MovesServers(leg):
			return fmt.Sprintf("%q twice in a row: upgrade and rollback take turns", leg)
		default:
			return fmt.Sprintf("%q after %q: program-rollback is between an upgrade and a rollback, forgotten where everything is old, and halt after a roll-out of servers", leg, journey[i-1])
		}
	}
	return ""
}

// badHalt returns why a roll-out cannot stop half way there, or "".
func badHalt(last bool, replicas int) string {
	switch {
	case !last:
		return fmt.Sprintf("%q is not the last: a journey that halts ends there", term.Halt)
	case replicas < 2:
		return fmt.Sprintf("%q with one replica: half way there are two, one of each release", term.Halt)
	}
	return ""
}

func (v *validator) objects() {
	if v.given("objects") && len(v.s.Objects) == 0 {
		v.fail("objects", "empty: a scenario has at least one object")
	}
	if v.tooMany("objects", len(v.s.Objects)) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v.s.Objects)) {
		o, at := v.s.Objects[name], strict.Join("objects", name)
		if why := BadName(name); why != "" {
			v.fail(at, "%s: %s", strict.Quote(name), why)
		}
		if o.Treated == "" && o.Bystander == "" {
			v.fail(at, "needs a file: treated, bystander or both")
		}
		objectChecks{v}.since(at+".since", o)
		v.objectChanges(at+".changes", o.Changes)
	}
}

// objectChanges checks the values that an object's changes send.
func (v *validator) objectChanges(at string, all map[term.Change]map[string]any) {
	known := slices.DeleteFunc(term.Changes().Words(), func(word string) bool { return word == string(term.LabelChange) })
	for _, m := range slices.Sorted(maps.Keys(all)) {
		switch at := strict.Join(at, string(m)); {
		case m == term.LabelChange:
			v.fail(at, "takes no values: it is a label that no other step writes (changes here: %s)", strings.Join(known, ", "))
		case !term.Changes().Has(m):
			v.fail(at, "unknown change %s%s", strict.Quote(string(m)), suggest.Hint(string(m), known, "changes"))
		case len(all[m]) == 0:
			v.fail(at, "empty: say which values it sends, such as {.spec.replicas: 3}")
		default:
			all[m] = v.fields(at, all[m])
		}
	}
}

// related checks the groups of related paths. A path is in one group only: two groups that
// share a path would be one.
func (v *validator) related() {
	first := map[string]string{}
	for i, group := range v.s.Related {
		at := strict.Element("related", i)
		if len(group.Paths) < 2 {
			v.fail(at, "a group has at least two paths, as in [[.spec.param, .spec.params]]")
		}
		if _, whole := v.s.Lines[strict.Join(at, "paths")]; whole {
			at = strict.Join(at, "paths")
		}
		for j, text := range group.Paths {
			at := strict.Element(at, j)
			group.Paths[j] = v.path(at, text)
			if place, twice := first[group.Paths[j]]; twice {
				v.fail(at, "%s is in a group already, at %s", group.Paths[j], place)
			}
			first[group.Paths[j]] = at
		}
	}
}

// object checks a name of one of the objects.
func (v *validator) object(at, name string) {
	if _, known := v.s.Objects[name]; known || len(v.s.Objects) == 0 && v.Reported("objects") {
		return
	}
	v.fail(at, "unknown object %s%s", strict.Quote(name), suggest.Hint(name, slices.Sorted(maps.Keys(v.s.Objects)), "objects"))
}

// stage checks a word of at or stage.
func (v *validator) stage(at, word string, line int) {
	if len(scenarios.MatchStages(word, v.stages)) > 0 || v.Reported("journey") || v.Reported("replicas") {
		return
	}
	known := scenarios.StageWords(v.stages)
	if !slices.Contains(known, word) {
		v.Add(line, at, "unknown stage %s%s", strict.Quote(word), suggest.Hint(word, known, "stages"))
	}
}
