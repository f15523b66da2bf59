package tiers

import (
	"os"
	"slices"
	"strings"
)

// buildsVariable is build.BuildsVariable: this package, which all tests may import, imports no
// server.
const buildsVariable = "SKEWSIM_BUILDS"

// A kube-apiserver takes minutes to build and 4 GB. Where no selected tier plays one, a test
// that needs a build fails at once, instead of making it on machines without the cache.
func init() {
	if _, set := os.LookupEnv(buildsVariable); !set && !building(os.Getenv(Variable)) {
		os.Setenv(buildsVariable, "off")
	}
}

// building reports whether a value of Variable selects a tier that builds.
func building(variable string) bool {
	return slices.ContainsFunc(strings.Split(variable, ","), func(name string) bool {
		return slices.Contains([]Tier{Kubernetes, Pages, Nightly}, Tier(name))
	})
}
