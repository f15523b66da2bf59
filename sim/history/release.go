package history

import (
	"cmp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Release is what a build said of itself before the roll-out.
type Release struct {
	Role      term.Role `json:"role"`
	Reference string    `json:"reference"`
	Version   string    `json:"version"`             // gitVersion of /version
	Digest    string    `json:"digest"`              // sha256 of the binary
	Component string    `json:"component,omitempty"` // what it is of: kube-apiserver; empty: the history is of a version that did not say
	// Asked is the reference that was asked for, where that could not be had and another
	// patch of its minor was played; empty: it is Reference.
	Asked string `json:"asked,omitempty"`
	// Substituted are the modules of which the binary has another version than its
	// release, each as "PATH VERSION -> VERSION".
	Substituted []string `json:"substituted,omitempty"`
	// Adapter is how the server of a module was started; nil: it is no module's.
	Adapter *term.Adapter   `json:"adapter,omitempty"`
	Gates   map[string]bool `json:"gates,omitempty"`
	// Alpha are those of Gates that are alpha, sorted; none: it has none, or the history is
	// of a version that did not record them.
	Alpha     []string          `json:"alpha,omitempty"`
	Schemas   map[string]string `json:"schemas"` // group/version -> file below schemas/
	Resources []Resource        `json:"resources"`
	// Elsewhere are the same kinds in the versions that no manifest has: what the
	// release says of them, which nothing but discovery is asked about.
	Elsewhere []Resource `json:"elsewhere,omitempty"`
	// Follows are the versions in which it is asked for copies whose own version it does
	// not serve, though it serves their resource: by Follow of that version and kind.
	Follows map[string]string `json:"follows,omitempty"`
	// Preferred is the version that it prefers, by group, and by Kind.group where the
	// preferred version does not serve the kind: the first one that does. It is asked
	// where a client of the plan discovers it.
	Preferred map[string]string `json:"preferred,omitempty"`
	// Defines are the resources that the release's own manifests define, each as
	// plural.group; Server is then the reference of what they are installed on.
	Defines []string `json:"defines,omitempty"`
	Server  string   `json:"server,omitempty"`
	// GateTags is the file below schemas/ that holds the feature gates which the source
	// of its types names of their fields; "": nothing says where the source is.
	GateTags string `json:"gateTags,omitempty"`
	// Types is what its clients are made of, as Schemas has it, where that is not what
	// its servers publish: its manifests were never applied.
	Types map[string]string `json:"types,omitempty"`
	// Typed says whose types its typed and apply clients have. Nil: the plan
	// has none of them, or the history is of a version that approximated all.
	Typed *Typed `json:"typed,omitempty"`
}

// Follow is a kind in one version as Follows has it.
func Follow(apiVersion, kind string) string { return apiVersion + " " + kind }

// AskedIn is the version in which the release is asked for a copy that is made in a
// version: that one, or the one that it follows.
func (r Release) AskedIn(apiVersion, kind string) string {
	return cmp.Or(r.Follows[Follow(apiVersion, kind)], apiVersion)
}

// Discovered is the version that a client which discovers takes for a kind, given any
// version of its group: the one that the group prefers, else the first one that serves the
// kind. Of a group that nothing was asked about it is the given version.
func (r Release) Discovered(apiVersion, kind string) string {
	group, _, _ := strings.Cut(apiVersion, "/")
	return cmp.Or(r.Preferred[kind+"."+group], r.Preferred[group], apiVersion)
}

// Typed is what stands behind the typed clients of a release.
type Typed struct {
	// Version and Digest are those of the program that was built from the
	// release's client-go; empty when it could not be.
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Substituted are the modules of which the program has another version than the
	// release's client-go asks for, each as "PATH VERSION -> VERSION".
	Substituted []string `json:"substituted,omitempty"`
	// Approximate are the kinds, such as "example.dev/v1 Gadget", that it has no
	// types for: what the release's schema does not declare was dropped instead.
	Approximate []string `json:"approximate,omitempty"`
}
