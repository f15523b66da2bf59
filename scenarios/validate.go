package scenarios

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios/term"
)

// maxName bounds the names of scenarios and objects: they become parts of the
// names of namespaces and copies, which have at most 63 characters.
const maxName = 40

// validator judges a decoded scenario.
type validator struct {
	*problems
	s      *Scenario
	stages []string   // the journey's, for at and stage
	marks  [][]string // the names of each confidential path
}

func (v *validator) validate() {
	v.name()
	v.about()
	v.replicas()
	v.journey()
	v.orders()
	v.stages = StageNames(v.s.Journey, v.s.Replicas)
	v.releases()
	v.options()
	v.confidential()
	v.objects()
	v.related()
	v.play()
	v.expect()
	v.twins()
}

// fail adds a problem at a place of the document, unless the decoder has told
// one there.
func (v *validator) fail(at, format string, args ...any) {
	if !v.reported(at) {
		v.add(v.line(at), at, format, args...)
	}
}

// line returns where the part of the document stands, or the nearest part
// above it that the file holds.
func (v *validator) line(at string) int {
	for {
		if line, known := v.s.Lines[at]; known {
			return line
		}
		cut := strings.LastIndexAny(at, ".[")
		if cut < 0 {
			return v.s.Lines[""]
		}
		at = at[:cut]
	}
}

func (v *validator) given(at string) bool {
	_, given := v.s.Lines[at]
	return given
}

// tooMany refuses what nobody wrote by hand, before work is spent on it.
func (v *validator) tooMany(list string, n int) bool {
	if n > maxLines {
		v.fail(list, "%d entries: at most %d", n, maxLines)
	}
	return n > maxLines
}

func element(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// name holds the scenario's name, which is that of the file.
func (v *validator) name() {
	base, isYAML := strings.CutSuffix(filepath.Base(v.s.File), ".yaml")
	if !isYAML {
		v.add(0, "", "the name of a scenario's file ends in .yaml")
		return
	}
	if !v.given("name") {
		v.s.Name = base
		if why := badName(base); why != "" {
			v.add(0, "", "the file's name is the scenario's, and %s: %s", quote(base), why)
		}
		return
	}
	if v.s.Name != base {
		v.fail("name", "%s differs from the file's name: want %q", quote(v.s.Name), base)
		return
	}
	if why := badName(v.s.Name); why != "" {
		v.fail("name", "%s: %s", quote(v.s.Name), why)
	}
}

// badName says what keeps a name from being part of a Kubernetes object's name.
func badName(name string) string {
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
	if v.given("replicas") && (v.s.Replicas < 1 || v.s.Replicas > maxReplicas || v.reported("replicas")) {
		v.fail("replicas", "%d is not between 1 and %d", v.s.Replicas, maxReplicas)
		v.s.Replicas = defaultReplicas
	}
	if v.s.Releases.Of == ofManifests && v.s.Replicas > 1 {
		v.fail("replicas", "%d: definitions lie in the store, so that all replicas change at once: with %s there is one", v.s.Replicas, ofManifests)
		v.s.Replicas = 1
	}
}

func (v *validator) orders() {
	if v.given("orders") && (v.s.Orders < 0 || v.s.Orders > MaxOrders) {
		v.fail("orders", "%d is not between 0 and %d", v.s.Orders, MaxOrders)
	}
	if at := v.s.ExpectsViolation(); v.s.Orders > 0 && at > 0 {
		v.fail("orders", "the scenario expects a violation, in line %d: orders hold that there is none, whatever the order", at)
	}
}

func (v *validator) journey() {
	why := badJourney(v.s.Journey, v.s.Replicas)
	if why == "" && !v.reported("journey") {
		return
	}
	v.fail("journey", "%s", why)
	v.s.Journey = defaultJourney()
}

func badJourney(journey []term.Rollout, replicas int) string {
	if len(journey) > maxRollouts {
		return fmt.Sprintf("%d roll-outs: at most %d", len(journey), maxRollouts)
	}
	for i, leg := range journey {
		switch want := []term.Rollout{term.Upgrade, term.Rollback}[i%2]; {
		case leg == want:
		case i == 0:
			return fmt.Sprintf("starts with %q: a journey starts on the old release, with %q", leg, want)
		case leg == term.Halt:
			return badHalt(i == len(journey)-1, replicas)
		default:
			return fmt.Sprintf("%q twice in a row: upgrade and rollback take turns", leg)
		}
	}
	return ""
}

// badHalt says why a roll-out cannot stop half way there.
func badHalt(last bool, replicas int) string {
	switch {
	case !last:
		return fmt.Sprintf("%q is not the last: a journey that halts ends there", term.Halt)
	case replicas < 2:
		return fmt.Sprintf("%q with one replica: half way there are two, one of each release", term.Halt)
	}
	return ""
}

func (v *validator) releases() {
	r := v.s.Releases
	if v.given("releases.of") && !slices.Contains(components(), r.Of) && !r.OfModules() {
		v.fail("releases.of", "unknown component %s%s", quote(r.Of), hint(r.Of, components(), "components"))
	}
	if r.OfModules() {
		v.modules()
	}
	for _, role := range []term.Role{term.Old, term.New} {
		v.constraint(role)
	}
	v.manifests()
	v.olderClients()
	if r.Pair != "" && r.Of != ofManifests && !r.OfModules() {
		v.pair()
	}
	if len(r.Through) > 0 {
		v.through()
	}
}

func (v *validator) constraint(role term.Role) {
	text := v.s.Releases.constraint(role)
	if text == "" {
		return
	}
	if _, err := version.NewConstraint(text); err != nil {
		v.fail("releases."+string(role), `%s is not a constraint such as "< 1.37" or ">= 1.34, < 1.36"`, quote(text))
	}
}

// pair holds the default pair against the scenario's own constraints.
func (v *validator) pair() {
	const at = "releases.pair"
	r := v.s.Releases
	of, oldVersion, newVersion, ok := splitPair(r.Pair)
	if !ok {
		v.fail(at, "%s is not a pair such as kube-apiserver@v1.36.3..v1.37.0", quote(r.Pair))
		return
	}
	if of != r.Of && !v.reported("releases.of") {
		v.fail(at, "a pair of %s in a scenario of %s", quote(of), quote(r.Of))
	}
	if err := InOrder(oldVersion, newVersion); err != nil {
		v.fail(at, "%s", err)
	}
	v.end(at, term.Old, oldVersion)
	v.end(at, term.New, newVersion)
}

func (v *validator) end(at string, role term.Role, release string) {
	allowed, err := v.s.Releases.Allows(role, release)
	switch {
	case v.reported("releases." + string(role)):
	case err != nil:
		v.fail(at, "%s is not a version", quote(release))
	case !allowed:
		v.fail(at, "%s: %s", release, v.s.Releases.Requirement(role))
	}
}

func (v *validator) options() {
	v.optionsAt("old", v.s.Old)
	v.optionsAt("new", v.s.New)
}

// optionsAt holds what the servers of a release are started with.
func (v *validator) optionsAt(at string, options Options) {
	v.minorVersion(at+".emulatedVersion", options.EmulatedVersion)
	v.minorVersion(at+".minCompatibilityVersion", options.MinCompatibilityVersion)
	v.encryption(at+".encryption", options.Encryption)
	for i, flag := range options.Flags {
		if !strings.HasPrefix(flag, "--") {
			v.fail(element(at+".flags", i), `%s is not a flag such as "--v=2"`, quote(flag))
		}
	}
}

// keyName is the name of an encryption key: it stands in what is stored, up to a colon.
var keyName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

func (v *validator) encryption(at string, e *Encryption) {
	if e == nil {
		return
	}
	switch {
	case v.reported(at):
	case len(e.Resources) == 0:
		v.fail(at+".resources", "empty: name what is encrypted, such as secrets")
	case e.Provider == "" && e.Key != "":
		v.fail(at, "a key, and no provider to write with it: give it a provider, such as aescbc, or list the key under reads")
	case e.Provider != "" && e.Key == "":
		v.fail(at, "a provider, and no key: name one, such as k1")
	case e.Provider == "" && len(e.Reads) == 0:
		v.fail(at, "neither a provider with its key, nor keys to read with: leave it out")
	}
	for key, name := range map[string][]string{".key": {e.Key}, ".reads": e.Reads} {
		for _, name := range name {
			if name != "" && !keyName.MatchString(name) {
				v.fail(at+key, "%s is not a key's name, such as k1: up to 40 lower-case letters, digits and dashes", quote(name))
			}
		}
	}
}

// minorVersion is 1.36, or the word old.
var minorVersion = regexp.MustCompile(`^v?([0-9]+\.[0-9]+)$`)

func (v *validator) minorVersion(at, text string) {
	if text != "" && text != string(term.Old) && !minorVersion.MatchString(text) {
		v.fail(at, `%s is neither a minor release such as "1.36", nor old`, quote(text))
	}
}

func (v *validator) objects() {
	if v.given("objects") && len(v.s.Objects) == 0 {
		v.fail("objects", "empty: a scenario has at least one object")
	}
	if v.tooMany("objects", len(v.s.Objects)) {
		return
	}
	for _, name := range sortedKeys(v.s.Objects) {
		o, at := v.s.Objects[name], join("objects", name)
		if why := badName(name); why != "" {
			v.fail(at, "%s: %s", quote(name), why)
		}
		if o.Treated == "" && o.Bystander == "" {
			v.fail(at, "needs a file: treated, bystander or both")
		}
		v.since(at+".since", o)
		v.objectMutations(at+".mutations", o.Mutations)
	}
}

// objectMutations checks the values that an object's mutations send.
func (v *validator) objectMutations(at string, all map[term.Mutation]map[string]any) {
	known := slices.DeleteFunc(term.Mutations().Words(), func(word string) bool { return word == string(term.LabelMutation) })
	for _, m := range sortedKeys(all) {
		switch at := join(at, string(m)); {
		case m == term.LabelMutation:
			v.fail(at, "takes no values: it is a label that no other step writes (mutations here: %s)", strings.Join(known, ", "))
		case !term.Mutations().Has(m):
			v.fail(at, "unknown mutation %s%s", quote(string(m)), hint(string(m), known, "mutations"))
		case len(all[m]) == 0:
			v.fail(at, "empty: say which values it sends, such as {.spec.replicas: 3}")
		default:
			all[m] = v.fields(at, all[m])
		}
	}
}

// related checks the groups of paths that go together. A path is in one group:
// two that share one would be one.
func (v *validator) related() {
	first := map[string]string{}
	for i, group := range v.s.Related {
		at := element("related", i)
		if len(group.Paths) < 2 {
			v.fail(at, "a group has at least two paths, as in [[.spec.param, .spec.params]]")
		}
		if _, whole := v.s.Lines[join(at, "paths")]; whole {
			at = join(at, "paths")
		}
		for j, text := range group.Paths {
			at := element(at, j)
			group.Paths[j] = v.path(at, text)
			if place, twice := first[group.Paths[j]]; twice {
				v.fail(at, "%s is in a group already, at %s", group.Paths[j], place)
			}
			first[group.Paths[j]] = at
		}
	}
}

// object checks a name that stands for one of the objects.
func (v *validator) object(at, name string) {
	if _, known := v.s.Objects[name]; known || len(v.s.Objects) == 0 && v.reported("objects") {
		return
	}
	v.fail(at, "unknown object %s%s", quote(name), hint(name, sortedKeys(v.s.Objects), "objects"))
}

// stage checks a word of at or stage.
func (v *validator) stage(at, word string, line int) {
	if len(MatchStages(word, v.stages)) > 0 || v.reported("journey") || v.reported("replicas") {
		return
	}
	known := stageWords(v.stages)
	if !slices.Contains(known, word) {
		v.add(line, at, "unknown stage %s%s", quote(word), hint(word, known, "stages"))
	}
}
