package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// ServedAs returns the answers of a release's replicas that showed a version.
func ServedAs(v *StoredVersion, role term.Role) []*Observation {
	var all []*Observation
	for _, obs := range v.Views[role] {
		if Served(*obs) {
			all = append(all, obs)
		}
	}
	return all
}

// PathText returns a path as text, "" for nil.
func PathText(p fieldpath.Path) string {
	if p == nil {
		return ""
	}
	return path.String(p)
}

// ParsePath parses a path that PathText returned.
func ParsePath(at string) fieldpath.Path {
	p, _ := path.Parse(at)
	return p
}

// Served reports whether an observation is a replica's answer with the object as it was sent: an
// object that a client's types decoded from protobuf can differ from its JSON.
func Served(obs Observation) bool {
	return obs.ShowsObject() && obs.Replica != "" && !obs.wrote && obs.Types == ""
}

// IsServedAlike reports whether two leaves, either of which may be absent, mean the same. An
// empty container equals an absent one: encoders differ in whether they show it.
func IsServedAlike(a, b schema.Leaf) bool {
	return a.Semantic == b.Semantic || IsVoid(a) && IsVoid(b)
}

// IsVoid reports whether a value is empty or absent.
func IsVoid(leaf schema.Leaf) bool { return leaf.Semantic == "" || leaf.Semantic == schema.Empty }
