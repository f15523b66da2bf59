package scenarios

import (
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// manifestsPair is crd:FOLDER..crd:FOLDER; the new one may be a version of the old one's module.
var manifestsPair = regexp.MustCompile(`^crd:.+\.\.(crd:.|v?[0-9])`)

// manifests checks what only scenarios of manifests may say. What their folders hold,
// whoever reads them tells.
func (v *validator) manifests() {
	r, is := v.s.Releases, v.s.Releases.Of == ofManifests
	switch {
	case !is && r.Server != "":
		v.fail("releases.server", "is of crd, and this is a scenario of %s", quote(r.Of))
	case r.Server != "" && !strings.HasPrefix(r.Server, defaultComponent+"@") && !strings.HasPrefix(r.Server, "path:"):
		v.fail("releases.server", "%s is no kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE", quote(r.Server))
	}
	for role, options := range map[term.Role]Options{term.Old: v.s.Old, term.New: v.s.New} {
		if options.Forgotten && (!is || role == term.Old) {
			v.fail(string(role)+".forgotten", "is of the new release, where releases are crd")
		}
	}
	switch {
	case !is:
	case len(r.Through) > 0:
		v.fail("releases.through", "a chain of manifests is not supported: name a pair")
	case r.Pair != "" && !manifestsPair.MatchString(r.Pair):
		v.fail("releases.pair", "%s is not a pair such as crd:manifests/v1..crd:manifests/v2", quote(r.Pair))
	}
}
