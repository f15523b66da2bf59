package preflight

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// Gate is a feature gate that the newer release alone has on by default, and that no field names: it may permit what
// the older release refuses.
type Gate struct {
	Name string     `json:"name"`
	Old  *GateState `json:"old,omitempty"` // nil: the older release does not have it
	New  GateState  `json:"new"`
	// Stores reports that kube-apiserver asks for it where it validates objects or prepares them to be stored.
	Stores bool `json:"stores,omitempty"`
}

// GateState is the stage and the default of a gate in one release.
type GateState = diff.GateState

// UnnamedGates returns the gates of differences that none of the writes names: first those that decide what is
// stored, by the packages of kube-apiserver that use them, and of these those that the older release has too.
func UnnamedGates(all []diff.Difference, writes []Threshold, usedIn func(gate string) []string) []Gate {
	named := map[string]bool{}
	for _, t := range writes {
		for _, gate := range strings.Split(t.Gate, ", ") {
			named[gate] = true
		}
	}
	gates := []Gate{}
	for _, d := range all {
		if d.Difference != term.GateAdded && d.Difference != term.GateChanged || len(d.Gates) != 1 {
			continue
		}
		g := d.Gates[0]
		if g.New == nil || !g.New.Default || g.Old != nil && g.Old.Default || named[g.Name] {
			continue
		}
		gates = append(gates, Gate{Name: g.Name, Old: g.Old, New: *g.New, Stores: slices.ContainsFunc(usedIn(g.Name), stores)})
	}
	rank := map[bool]int{false: 1}
	slices.SortFunc(gates, func(a, b Gate) int {
		return cmp.Or(rank[a.Stores]-rank[b.Stores], rank[a.Old != nil]-rank[b.Old != nil], strings.Compare(a.Name, b.Name))
	})
	return gates
}

// stores reports whether a package of kube-apiserver decides what is stored: the API's own packages do, and the
// strategies of its resources.
func stores(of string) bool {
	return slices.ContainsFunc([]string{"pkg/api/", "pkg/apis/", "pkg/registry/", "k8s.io/apiextensions-apiserver/pkg/registry/"}, func(prefix string) bool {
		return strings.HasPrefix(of, prefix) && !strings.HasSuffix(of, "/rest") // which says what is served
	})
}
