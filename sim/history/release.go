package history

import (
	"cmp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Release is what a build reported about itself before the roll-out.
type Release struct {
	Role      term.Role `json:"role"`
	Reference string    `json:"reference"`
	Version   string    `json:"version"`             // gitVersion of /version
	Digest    string    `json:"digest"`              // sha256 of the binary
	Component string    `json:"component,omitempty"` // its component: kube-apiserver; empty in histories of earlier versions
	// Asked is the reference that was requested, if it is not available and another patch of
	// its minor release was played; empty: the same as Reference.
	Asked string `json:"asked,omitempty"`
	// Substituted are the modules of which the binary has another version than its
	// release, each as "PATH VERSION -> VERSION".
	Substituted []string `json:"substituted,omitempty"`
	// From is the address or the file that the binary was taken from; empty if it was built
	// on the machine of the run, or the reference names it.
	From string `json:"from,omitempty"`
	// Adapter is how the server of a module was started; nil for other servers.
	Adapter *term.Adapter   `json:"adapter,omitempty"`
	Gates   map[string]bool `json:"gates,omitempty"`
	// Alpha are those of Gates that are alpha, sorted; empty in histories of earlier versions,
	// which did not record them.
	Alpha     []string          `json:"alpha,omitempty"`
	Schemas   map[string]string `json:"schemas"` // group/version -> file below schemas/
	Resources []Resource        `json:"resources"`
	// Elsewhere are the same kinds in the versions that no manifest has, as discovery reports
	// them: nothing else is requested in them.
	Elsewhere []Resource `json:"elsewhere,omitempty"`
	// Follows are the versions that requests use for copies whose own version the release does
	// not serve, though it serves their resource: by Follow of that version and kind.
	Follows map[string]string `json:"follows,omitempty"`
	// Preferred is the preferred version by group, and by Kind.group if the preferred version
	// does not serve the kind: the first version that does. It is requested if a client of the
	// plan uses discovery.
	Preferred map[string]string `json:"preferred,omitempty"`
	// Defines are the resources that the release's own manifests define, each as
	// plural.group; Server is then the reference of what they are installed on.
	Defines []string `json:"defines,omitempty"`
	Server  string   `json:"server,omitempty"`
	// GateTags is the file below schemas/ with the feature gates of fields, according to the
	// source of its types; "": the source is not available.
	GateTags string `json:"gateTags,omitempty"`
	// Types is the source of its clients' types, in Schemas, if its servers do not publish it
	// because its manifests were never applied.
	Types map[string]string `json:"types,omitempty"`
	// Typed is the source of its typed and apply clients. Nil: the plan has no such clients, or
	// the history is of a version that approximated all.
	Typed *Typed `json:"typed,omitempty"`
}

// Follow is a kind in one version, a key of Follows.
func Follow(apiVersion, kind string) string { return apiVersion + " " + kind }

// AskedIn returns the version in which the release is asked for a copy of a version: the same
// version, or the one that it follows.
func (r Release) AskedIn(apiVersion, kind string) string {
	return cmp.Or(r.Follows[Follow(apiVersion, kind)], apiVersion)
}

// Discovered returns the version that a client that uses discovery chooses for a kind, given
// any version of its group: the group's preferred version, or the first one that serves the
// kind. For a group without discovery it returns the given version.
func (r Release) Discovered(apiVersion, kind string) string {
	group, _, _ := strings.Cut(apiVersion, "/")
	return cmp.Or(r.Preferred[kind+"."+group], r.Preferred[group], apiVersion)
}

// Typed describes the program behind the typed clients of a release.
type Typed struct {
	// Version and Digest are those of the program that was built from the release's client-go;
	// empty if it is not available.
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Substituted are the modules of which the program has another version than the release's
	// client-go requires, each as "PATH VERSION -> VERSION".
	Substituted []string `json:"substituted,omitempty"`
	// Approximate are the kinds, such as "example.dev/v1 Gadget", that it has no types for:
	// fields that the release's schema does not declare were dropped instead.
	Approximate []string `json:"approximate,omitempty"`
}
