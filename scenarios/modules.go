package scenarios

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// ofModule begins a pair of releases of a Go module.
const ofModule = "module:"

// components are those that have a name of their own here.
func components() []string { return []string{ofTwins, defaultComponent, ofManifests} }

// OfModules tells whether the releases are API servers of Go modules, whose component
// their adapter names.
func (r Releases) OfModules() bool { return r.Adapter != "" || strings.HasPrefix(r.Pair, ofModule) }

// modulePair is module:MODULE@old..new; the new one may name the module again.
var modulePair = regexp.MustCompile(`^module:([^@]+)@(.+?)\.\.(?:module:([^@]+)@)?([^@]+)$`)

// modules checks what scenarios of Go modules say of releases. What the adapter holds,
// whoever reads it tells.
func (v *validator) modules() {
	const at = "releases.pair"
	r := v.s.Releases
	if slices.Contains(components(), r.Of) && !v.reported("releases.of") {
		v.fail("releases", "of is %s, and releases are of a Go module: say of, what its server is called, such as sample-apiserver", quote(r.Of))
	}
	if len(r.Through) > 0 {
		v.fail("releases.through", "a chain of Go modules is not supported: name a pair")
	}
	if r.Pair == "" {
		return
	}
	m := modulePair.FindStringSubmatch(r.Pair)
	if m == nil {
		v.fail(at, "%s is not a pair such as module:k8s.io/sample-apiserver@v0.35.4..v0.37.0", quote(r.Pair))
		return
	}
	if err := InOrder(m[2], m[4]); err != nil && (m[3] == "" || m[3] == m[1]) {
		v.fail(at, "%s", err)
	}
	v.end(at, term.Old, m[2])
	v.end(at, term.New, m[4])
}
