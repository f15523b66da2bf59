package published

import (
	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/servers/crd/definition"
)

// Define completes a release of definitions with the resources that a server publishes of them.
func (r *Release) Define(versions []definition.Version) {
	for _, p := range versions {
		own := Resource{
			APIVersion: p.Group + "/" + p.Version, Kind: p.Kind, Plural: p.Plural, Namespaced: p.Namespaced, ShortNames: p.ShortNames, Categories: p.Categories,
			Verbs:        []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
			Subresources: p.Subresources, StorageVersion: p.StorageVersion,
		}
		own.addDefined(p)
		r.Resources = append(r.Resources, own)
	}
	r.Preferred = preferredIn(r.Resources)
	r.sort()
}

// preferredIn returns the version of each group that a server prefers: the most stable, and of
// those the newest.
func preferredIn(all []Resource) map[string]string {
	best := map[string]string{}
	for _, r := range all {
		v := versionOf(r.APIVersion)
		if now, is := best[r.group()]; !is || version.CompareKubeAwareVersionStrings(v, now) > 0 {
			best[r.group()] = v
		}
	}
	return best
}
