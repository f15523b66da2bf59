package trace

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// ListKeys tells readers of bodies which elements of two lists are the same one: of
// every kind that a copy has, in each version that a release publishes, its list-maps
// and sets. Where the releases differ, the old one's word counts: a value that one of
// them lost was told by it first.
func (tr *Trace) ListKeys() map[string]map[string][]string {
	all := map[string]map[string][]string{}
	for _, m := range tr.History.Header.Plan.Manifests {
		group := schema.GroupOf(m.APIVersion)
		for _, role := range []term.Role{term.Old, term.New} {
			for _, version := range tr.Schemas[role].VersionsOf(group, m.Kind) {
				tr.addListKeys(all, role, version, m.Kind)
			}
		}
	}
	return all
}

// addListKeys adds the lists of a kind as one release publishes them.
func (tr *Trace) addListKeys(all map[string]map[string][]string, role term.Role, apiVersion, kind string) {
	k, ok := tr.Schemas[role].Kind(apiVersion, kind)
	if !ok {
		return
	}
	name := apiVersion + "/" + kind
	for at, keys := range k.Lists() {
		if all[name] == nil {
			all[name] = map[string][]string{}
		}
		if _, known := all[name][at]; !known {
			all[name][at] = keys
		}
	}
}
