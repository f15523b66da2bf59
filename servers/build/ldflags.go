package build

import (
	"strings"

	"golang.org/x/mod/semver"
)

// unknownCommit is used if a release's module does not contain its commit: a valid hash that
// cannot be mistaken for a real one.
const unknownCommit = "0000000000000000000000000000000000000000"

// LDFlags returns the linker flags that set a Kubernetes release's name, v1.36.3, as upstream's
// build does, in both packages: for /version, `kubectl version` and user agents. The default
// for commit is a hash of zeros; for date (RFC 3339) none is set.
func LDFlags(version, commit, date string) []string {
	return Stamp{Version: version, Commit: commit, Date: date}.LDFlags()
}

// Stamp is the version information of a Kubernetes program.
type Stamp struct {
	Version   string // v1.36.3, v1.37.0-alpha.1.123+0123456789abcd-dirty
	Commit    string // 40 hexadecimal digits; default: zeros
	TreeState string // clean, dirty or archive; default: clean
	Date      string // RFC 3339; default: none is set
}

// LDFlags returns the linker flags. As in upstream's build, the minor of an unreleased version
// ends with +.
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
