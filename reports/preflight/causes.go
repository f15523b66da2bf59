package preflight

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// Cause is what findings of one hop have in common: they differ only in the object.
type Cause struct {
	Outcome   term.Outcome        `json:"outcome"`
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
	// Accepted says who accepts the findings, and until when; "": nobody.
	Accepted string `json:"accepted,omitempty"`
	// Earlier is how many of the objects have the finding in the earlier preflight too.
	Earlier int `json:"earlier,omitempty"`
	// Unread are the kinds that keep a server from being ready.
	Unread []string `json:"unread,omitempty"`
	// Baseline reports that the release that the objects come from does it alone.
	Baseline bool `json:"baseline,omitempty"`
}

// Owner are objects with one root owner; an object that nothing owns is its own.
type Owner struct {
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"` // with the kind: Deployment web
	Objects   []string `json:"objects"`
}

// owned is an object in a namespace.
type owned struct{ namespace, name string }

// ownerOf is what an object is listed under: its root owner, or itself.
func ownerOf(f preflight.Finding) owned {
	if f.Owner != "" {
		return owned{f.Namespace, f.Owner}
	}
	return owned{f.Namespace, strings.TrimSpace(f.Kind + " " + f.Name)}
}

// causesOf groups findings by cause, worst first, and returns those of ephemeral objects apart.
func causesOf(all []preflight.Finding) (causes []Cause, passing []preflight.Finding) {
	type key struct {
		outcome                    term.Outcome
		direction                  preflight.Direction
		group, kind, path, message string
		accepted                   string
	}
	at := map[key]int{}
	objects := map[key]map[owned]bool{}
	owners := map[key]map[owned]int{}
	for _, f := range all {
		if f.Ephemeral {
			passing = append(passing, f)
			continue
		}
		k := key{f.Outcome, f.Direction, f.Group, f.Kind, f.Path, preflight.WithoutAmounts(f.Message), acceptance(f)}
		i, known := at[k]
		if !known {
			i, at[k] = len(causes), len(causes)
			objects[k], owners[k] = map[owned]bool{}, map[owned]int{}
			causes = append(causes, Cause{Outcome: f.Outcome, Direction: f.Direction, Group: f.Group, Kind: f.Kind, Path: f.Path, Message: f.Message, Unread: f.Unread, Accepted: acceptance(f)})
		}
		c := &causes[i]
		c.add(f)
		if o := (owned{f.Namespace, f.Name}); f.Kind != "" && !objects[k][o] {
			objects[k][o] = true
			c.own(owners[k], ownerOf(f), f.Name)
			if f.Earlier {
				c.Earlier++
			}
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

// acceptance says who accepts a finding, and until when.
func acceptance(f preflight.Finding) string {
	switch {
	case f.Accepted == "":
		return ""
	case f.Known == "":
		return "accepted by " + f.Accepted + " until " + f.Until
	}
	return "accepted by " + f.Accepted + " until " + f.Until + ": " + f.Known
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
	causes, passing := causesOf(h.Findings)
	baseline, early := causesOf(h.Baseline)
	for i := range baseline {
		baseline[i].Baseline = true
	}
	for _, of := range [][]Cause{causes, baseline} {
		blame(of, slices.Concat(h.Findings, h.Baseline))
	}
	return grouped{causes, baseline, ephemeralLine(passing), ephemeralLine(early)}
}

// blame names the objects that keep a server from being ready: those that cannot be read, of the kinds that it waits for.
func blame(causes []Cause, all []preflight.Finding) {
	for i := range causes {
		c := &causes[i]
		if len(c.Unread) == 0 {
			continue
		}
		owners, named := map[owned]int{}, map[string]bool{}
		for _, f := range all {
			kind := strings.TrimSuffix(f.Kind+"."+f.Group, ".")
			object := kind + " " + f.Namespace + "/" + f.Name
			if f.Outcome == term.Undecodable && f.Name != "" && !named[object] && slices.Contains(c.Unread, kind) {
				named[object] = true
				c.own(owners, owned{f.Namespace, strings.TrimSpace(f.Kind + " " + f.Name)}, f.Name)
			}
		}
		c.Objects = 0 // it is about a server
	}
}

// sortCauses puts what nobody accepted before the rest, the worst outcome first, and then the cause with the most objects.
func sortCauses(causes []Cause) {
	worstFirst := preflight.Outcomes()
	for i := range causes {
		slices.SortStableFunc(causes[i].Owners, func(a, b Owner) int {
			return cmp.Or(len(b.Objects)-len(a.Objects), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
		})
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(min(len(a.Accepted), 1), min(len(b.Accepted), 1)), cmp.Compare(slices.Index(worstFirst, a.Outcome), slices.Index(worstFirst, b.Outcome)), strings.Compare(string(b.Direction), string(a.Direction)), b.Objects-a.Objects,
			strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
}
