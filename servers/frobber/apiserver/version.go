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
	info.GitVersion = v.release.GitVersion()
	info.GitCommit = "" // a placeholder, which the build of a Kubernetes component fills in
	return &info
}
