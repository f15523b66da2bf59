package module

import (
	"strings"

	"golang.org/x/mod/semver"
)

// unknownCommit stands for the commit of a release whose module does not tell
// it: a valid hash that nobody takes for a real one.
const unknownCommit = "0000000000000000000000000000000000000000"

// LDFlags has a program of a Kubernetes release, v1.36.3, say the release's name
// as upstream's build does, in both packages that it sets it in: what /version,
// `kubectl version` and user agents tell. Default for commit: a hash of zeros; for
// date, RFC 3339, none is set.
func LDFlags(version, commit, date string) []string {
	return Stamp{Version: version, Commit: commit, Date: date}.LDFlags()
}

// Stamp is what a program of Kubernetes says of what it was built from.
type Stamp struct {
	Version   string // v1.36.3, v1.37.0-alpha.1.123+0123456789abcd-dirty
	Commit    string // 40 hexadecimal digits; default: zeros
	TreeState string // clean, dirty or archive; default: clean
	Date      string // RFC 3339; default: none is set
}

// LDFlags are the linker's. The minor of a version that is not released has a + behind
// it, as upstream's build gives it.
func (s Stamp) LDFlags() []string {
	if s.Commit == "" {
		s.Commit = unknownCommit
	}
	if s.TreeState == "" {
		s.TreeState = "clean"
	}
	minor, _, _ := strings.Cut(strings.TrimPrefix(s.Version, "v1."), ".")
	if semver.Prerelease(s.Version) != "" {
		minor += "+"
	}
	sets := []string{
		"gitVersion=" + s.Version, "gitMajor=1", "gitMinor=" + minor, "gitCommit=" + s.Commit, "gitTreeState=" + s.TreeState,
	}
	if s.Date != "" {
		sets = append(sets, "buildDate="+s.Date)
	}
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, set := range sets {
			flags = append(flags, "-X", pkg+"."+set)
		}
	}
	return flags
}
