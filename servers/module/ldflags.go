package module

import "strings"

// unknownCommit stands for the commit of a release whose module does not tell
// it: a valid hash that nobody takes for a real one.
const unknownCommit = "0000000000000000000000000000000000000000"

// LDFlags has a program of a Kubernetes release, v1.36.3, say the release's name
// as upstream's build does, in both packages that it sets it in: what /version,
// `kubectl version` and user agents tell. Default for commit: a hash of zeros; for
// date, RFC 3339, none is set.
func LDFlags(version, commit, date string) []string {
	if commit == "" {
		commit = unknownCommit
	}
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "v1."), ".")
	sets := []string{
		"gitVersion=" + version, "gitMajor=1", "gitMinor=" + minor, "gitCommit=" + commit, "gitTreeState=clean",
	}
	if date != "" {
		sets = append(sets, "buildDate="+date)
	}
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, set := range sets {
			flags = append(flags, "-X", pkg+"."+set)
		}
	}
	return flags
}
