package apiserver

import (
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/component-base/compatibility"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// releaseVersion is a release where the library asks for a component's version.
type releaseVersion struct {
	compatibility.EffectiveVersion
	release *release.Release
}

func effectiveVersion(r *release.Release) compatibility.EffectiveVersion {
	return releaseVersion{compatibility.NewEffectiveVersionFromString(r.Name+".0", "", ""), r}
}

// Info is what /version answers.
func (v releaseVersion) Info() *apimachineryversion.Info {
	info := *v.EffectiveVersion.Info()
	info.GitVersion = GitVersion(v.release)
	return &info
}

// GitVersion is how a server of the release calls itself: v1.1.0, or
// v1.1.0+required for a twin.
func GitVersion(r *release.Release) string {
	version := "v" + r.Name + ".0"
	if r.Twin != "" {
		version += "+" + r.Twin
	}
	return version
}
