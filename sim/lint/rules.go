package lint

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/sim/schema"
)

// The rules, by the names that findings carry.
const (
	ruleForm      = "form"
	ruleComponent = "component"
	ruleVersion   = "minVersion"
	ruleRelease   = "release"
	ruleStatus    = "status"
	ruleGate      = "gate"
	ruleStage     = "stage"
	ruleUnmarked  = "unmarked"
	ruleDropped   = "dropped"
	ruleGone      = "gone"
	ruleEarly     = "early"
)

// Rules lists every rule's name.
func Rules() []string {
	return []string{ruleForm, ruleComponent, ruleVersion, ruleRelease, ruleStatus, ruleGate, ruleStage, ruleUnmarked, ruleDropped, ruleGone, ruleEarly}
}

const (
	keyVersion = "minVersion"
	keyStatus  = "status"
	keyGate    = "featureGate"
)

// findComponent settles which component lifecycles must name, where nobody has said
// so: the one that most of them name.
func (c *checker) findComponent(fields []schema.Field) {
	if c.Component != "" {
		return
	}
	named := map[string]int{}
	for _, f := range fields {
		says, _ := f.Lifecycle.(map[string]any)
		for component := range says {
			named[component]++
		}
	}
	for _, component := range slices.Sorted(maps.Keys(named)) {
		if named[component] > named[c.Component] {
			c.Component = component
		}
	}
}

// lifecycle checks the extension of one field.
func (c *checker) lifecycle(f schema.Field) {
	of, ok := f.Lifecycle.(map[string]any)
	if !ok || len(of) == 0 {
		c.tell(f, ruleForm, "must be an object with the component's name, as {%q: {%q: \"v1.2\", %q: \"alpha\"}}", c.Component, keyVersion, keyStatus)
		return
	}
	for _, component := range slices.Sorted(maps.Keys(of)) {
		if component != c.Component {
			c.tell(f, ruleComponent, "names %q, and everything is of %q", component, c.Component)
		}
		if says, ok := c.texts(f, component, of[component]); ok {
			c.version(f, says[keyVersion])
			c.status(f, says)
		}
	}
}

// texts are what is said of a component: two texts, or three, and nothing else.
func (c *checker) texts(f schema.Field, component string, v any) (map[string]string, bool) {
	of, ok := v.(map[string]any)
	if !ok {
		c.tell(f, ruleForm, "%q must be an object with %s, %s and perhaps %s", component, keyVersion, keyStatus, keyGate)
		return nil, false
	}
	texts := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		text, isText := of[key].(string)
		switch {
		case !slices.Contains([]string{keyVersion, keyStatus, keyGate}, key):
			c.tell(f, ruleForm, "unknown key %q: there are %s, %s and %s", key, keyVersion, keyStatus, keyGate)
		case !isText || text == "":
			c.tell(f, ruleForm, "%s must be a text that is not empty", key)
			ok = false
		}
		texts[key] = text
	}
	for _, key := range []string{keyVersion, keyStatus} {
		if _, there := of[key]; !there {
			c.tell(f, ruleForm, "has no %s", key)
			ok = false
		}
	}
	return texts, ok
}

// numbered is KEP-2558's form of a release.
var numbered = regexp.MustCompile(`^v[1-9][0-9]*\.(0|[1-9][0-9]*)$`)

// version checks the release since which the status holds. Releases are numbered
// without a gap, so each up to the server's own is one that there was.
func (c *checker) version(f schema.Field, since string) {
	if !numbered.MatchString(since) {
		c.tell(f, ruleVersion, "%q is not of the form v1.20", since)
		return
	}
	named, _ := parseRelease(since)
	own, known := parseRelease(c.Version)
	if known && (named.major != own.major || named.minor > own.minor) {
		c.tell(f, ruleRelease, "%s is no release that there was when %s was made", since, c.Version)
	}
}

// status checks how far the field has come, also against its gate.
func (c *checker) status(f schema.Field, says map[string]string) {
	status, gate := says[keyStatus], says[keyGate]
	if !slices.Contains([]string{schema.Alpha, schema.Beta, schema.Deprecated}, status) {
		c.tell(f, ruleStatus, "%q is not one of alpha, beta, deprecated: a stable field has no lifecycle", status)
		return
	}
	if gate == "" || c.Stages == nil {
		return
	}
	stage, known := c.Stages[gate]
	switch {
	case !known:
		c.tell(f, ruleGate, "%s has no feature gate %s", c.Name, gate)
	case status == schema.Deprecated:
	case stage == "":
		c.tell(f, ruleStage, "is %s, and its gate %s is stable: the lifecycle goes when the gate does", status, gate)
	case strings.ToLower(stage) != status:
		c.tell(f, ruleStage, "is %s, and its gate %s is %s: both change in one release", status, gate, strings.ToLower(stage))
	}
}

// release is a release by its numbers.
type release struct{ major, minor int }

var leading = regexp.MustCompile(`^v?([0-9]+)\.([0-9]+)`)

// parseRelease reads v1.20, and v1.20.3-rc.0 as well.
func parseRelease(version string) (r release, ok bool) {
	m := leading.FindStringSubmatch(version)
	if m == nil {
		return r, false
	}
	major, errMajor := strconv.Atoi(m[1])
	minor, errMinor := strconv.Atoi(m[2])
	return release{major, minor}, errMajor == nil && errMinor == nil
}
