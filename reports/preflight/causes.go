package preflight

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/preflight"
)

// Cause is what findings of one hop have in common: they differ only in the object.
type Cause struct {
	Class     preflight.Class     `json:"class"`
	Direction preflight.Direction `json:"direction"`
	Group     string              `json:"group,omitempty"`
	Kind      string              `json:"kind,omitempty"`
	Path      string              `json:"path,omitempty"`
	Message   string              `json:"message"`
	Objects   int                 `json:"objects"`
	Owners    []Owner             `json:"owners"` // the ones with most objects first
	Managers  []string            `json:"managers,omitempty"`
	Fixes     []string            `json:"fixes,omitempty"`
	Phases    []string            `json:"phases"`
	Releases  []string            `json:"releases"`
	Writes    []string            `json:"writes,omitempty"`
	// Baseline reports that the release that the objects come from does it alone.
	Baseline bool `json:"baseline,omitempty"`
}

// Owner are objects with one root owner; an object that nothing owns is its own.
type Owner struct {
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"` // with the kind: Deployment web
	Objects   []string `json:"objects"`
}

// owned is an object as owner references name it, in a namespace.
type owned struct{ namespace, name string }

// roots finds root owners among the objects of findings.
type roots map[owned]string

func rootsOf(all ...[]preflight.Finding) roots {
	r := roots{}
	for _, f := range slices.Concat(all...) {
		if f.Owner != "" {
			r[owned{f.Namespace, f.Kind + " " + f.Name}] = f.Owner
		}
	}
	return r
}

// of returns the root owner of an object, as far as findings name it. What an owner reference
// names may own itself in a store that nobody collected, so the way up is limited.
func (r roots) of(f preflight.Finding) string {
	const most = 8
	name := strings.TrimSpace(f.Kind + " " + f.Name)
	for range most {
		owner := r[owned{f.Namespace, name}]
		if owner == "" {
			break
		}
		name = owner
	}
	return name
}

// ephemeral reports whether an object expires, or is made anew by what owns it, so that a finding
// about it needs no fix.
func ephemeral(f preflight.Finding) bool {
	switch f.Kind {
	case "Event":
		return f.Group == "" || f.Group == "events.k8s.io"
	case "Lease":
		return f.Group == "coordination.k8s.io"
	case "EndpointSlice":
		return f.Group == "discovery.k8s.io"
	case "ReplicaSet":
		return f.Group == "apps" && f.Owner != ""
	}
	return false
}

// causesOf groups findings by cause, worst first, and returns those of ephemeral objects apart.
func causesOf(all []preflight.Finding, r roots) (causes []Cause, passing []preflight.Finding) {
	type key struct {
		class                      preflight.Class
		direction                  preflight.Direction
		group, kind, path, message string
	}
	at := map[key]int{}
	objects := map[key]map[owned]bool{}
	owners := map[key]map[owned]int{}
	for _, f := range all {
		if ephemeral(f) {
			passing = append(passing, f)
			continue
		}
		k := key{f.Class, f.Direction, f.Group, f.Kind, f.Path, f.Message}
		i, known := at[k]
		if !known {
			i, at[k] = len(causes), len(causes)
			objects[k], owners[k] = map[owned]bool{}, map[owned]int{}
			causes = append(causes, Cause{Class: f.Class, Direction: f.Direction, Group: f.Group, Kind: f.Kind, Path: f.Path, Message: f.Message})
		}
		c := &causes[i]
		c.add(f)
		if o := (owned{f.Namespace, f.Name}); f.Kind != "" && !objects[k][o] {
			objects[k][o] = true
			c.own(owners[k], owned{f.Namespace, r.of(f)}, f.Name)
		}
	}
	sortCauses(causes)
	return causes, passing
}

// add adds what a finding says beside its cause.
func (c *Cause) add(f preflight.Finding) {
	once(&c.Managers, f.Manager)
	once(&c.Fixes, f.Fix)
	once(&c.Phases, f.Phase)
	once(&c.Releases, f.Release)
	once(&c.Writes, f.Write)
}

// own adds an object to its root owner.
func (c *Cause) own(owners map[owned]int, owner owned, name string) {
	i, known := owners[owner]
	if !known {
		i, owners[owner] = len(c.Owners), len(c.Owners)
		c.Owners = append(c.Owners, Owner{Namespace: owner.namespace, Name: owner.name})
	}
	c.Owners[i].Objects = append(c.Owners[i].Objects, name)
	c.Objects++
}

func once(all *[]string, text string) {
	if text != "" && !slices.Contains(*all, text) {
		*all = append(*all, text)
	}
}

// grouped are the findings of a hop by cause.
type grouped struct {
	Causes, Baseline []Cause
	// Ephemeral counts findings about ephemeral objects in one line, Early those before any
	// upgrade; "" for none.
	Ephemeral, Early string
}

func group(h preflight.Hop) grouped {
	r := rootsOf(h.Findings, h.Baseline)
	causes, passing := causesOf(h.Findings, r)
	baseline, early := causesOf(h.Baseline, r)
	for i := range baseline {
		baseline[i].Baseline = true
	}
	return grouped{causes, baseline, ephemeralLine(passing), ephemeralLine(early)}
}

// sortCauses puts the worst class first, and then the cause with the most objects.
func sortCauses(causes []Cause) {
	classes := preflight.Classes()
	for i := range causes {
		slices.SortStableFunc(causes[i].Owners, func(a, b Owner) int {
			return cmp.Or(len(b.Objects)-len(a.Objects), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
		})
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(slices.Index(classes, a.Class), slices.Index(classes, b.Class)), strings.Compare(string(b.Direction), string(a.Direction)), b.Objects-a.Objects,
			strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
}
