package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// ServedAs are the answers of a release's replicas that showed a version.
func ServedAs(v *StoredVersion, role term.Role) []*Observation {
	var all []*Observation
	for _, obs := range v.Views[role] {
		if Served(*obs) {
			all = append(all, obs)
		}
	}
	return all
}

// PathText is a path as text, and "" for none.
func PathText(p fieldpath.Path) string {
	if p == nil {
		return ""
	}
	return path.String(p)
}

// ParsePath is a path that was printed before.
func ParsePath(at string) fieldpath.Path {
	p, _ := path.Parse(at)
	return p
}

// Served reports whether a observation is an answer of a replica with the object in it,
// as it came: what a client's types make of protobuf is not what JSON shows.
func Served(obs Observation) bool {
	return obs.ShowsObject() && obs.Replica != "" && !obs.wrote && obs.Types == ""
}

// IsServedAlike reports whether two leaves, or the want of them, mean the same. An
// empty container is as good as none: whether it is shown is the encoder's taste.
func IsServedAlike(a, b schema.Leaf) bool {
	return a.Semantic == b.Semantic || IsVoid(a) && IsVoid(b)
}

// IsVoid reports whether a value is empty, or not there.
func IsVoid(leaf schema.Leaf) bool { return leaf.Semantic == "" || leaf.Semantic == schema.Empty }
