package fleet

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// names is a plan with its copies, and the names of their objects.
type names struct {
	Plan            *plan.Plan
	Copies          map[string]plan.Copy
	inside, outside map[string]string // copies by their objects' names, namespaced and cluster-scoped
	assigned        sync.Map          // by copy: the name that a server generated
}

func newNames(p *plan.Plan) *names {
	n := &names{Plan: p, Copies: map[string]plan.Copy{}, inside: p.Names(true), outside: p.Names(false)}
	for _, c := range p.Copies {
		n.Copies[c.Name] = c
	}
	return n
}

// Operations calls each for every operation of the plan with the manifest of its copy.
func (n *names) Operations(each func(plan.Step, plan.Manifest)) {
	for _, stage := range n.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate {
				each(s, n.Plan.Manifests[n.Subject(s).Manifest])
			}
		}
	}
}

// Subject returns the copy that a step is about: for a LIST, any copy of its object, since
// only the kind matters.
func (n *names) Subject(s plan.Step) plan.Copy {
	if s.Copy != "" {
		return n.Copies[s.Copy]
	}
	i := slices.IndexFunc(n.Plan.Copies, func(c plan.Copy) bool { return c.Object == s.Object })
	if i < 0 {
		return plan.Copy{Object: s.Object}
	}
	return n.Plan.Copies[i]
}

// Location returns where a resource is served: in the plan's namespace, if it has one.
func (n *names) Location(r history.Resource) client.Resource {
	at := client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}
	if r.Namespaced {
		at.Namespace = n.Plan.Namespace
	}
	return at
}

// Object returns the path of a copy's object.
func (n *names) Object(r history.Resource, name string) string {
	return n.Location(r).Object(n.Called(name, r.Namespaced))
}

// CopyOf returns the copy whose object has this name, namespaced or cluster-scoped.
func (n *names) CopyOf(object string, namespaced bool) (string, bool) {
	if namespaced {
		return plan.Named(n.inside, object)
	}
	return plan.Named(n.outside, object)
}

// Called returns the name of a copy's object.
func (n *names) Called(copy string, namespaced bool) string {
	if given := n.Given(copy); given != "" {
		return given
	}
	return n.Plan.ObjectName(n.Copies[copy], namespaced)
}

// Given returns the name that a server generated for the copy's object, "" if it did not.
func (n *names) Given(copy string) string {
	given, _ := n.assigned.Load(copy)
	name, _ := given.(string)
	return name
}

// LearnName remembers the name that a server generated. The first one stays.
func (n *names) LearnName(c plan.Copy, object string) {
	if object != "" && n.Plan.Generated(c) {
		n.assigned.LoadOrStore(c.Name, object)
	}
}

// LearnKey learns a generated name from a key of the store: of an object that an earlier
// leg of a chain created, or whose create had no clear answer.
func (n *names) LearnKey(key string) {
	object := path.Base(key)
	for _, namespaced := range []bool{true, false} {
		if copy, own := n.CopyOf(object, namespaced); own {
			n.LearnName(n.Copies[copy], object)
		}
	}
}

// Owns reports whether a key is that of the run's namespace, of an object in it, or of one
// of the run's cluster-scoped objects. In every layout of keys, an object's namespace and
// name are separate parts.
func (n *names) Owns(key string) bool {
	parts := strings.Split(key, "/")
	if slices.Contains(parts, n.Plan.Namespace) {
		return true
	}
	_, own := n.CopyOf(parts[len(parts)-1], false)
	return own
}

// NameIn returns the name of the object that an answer shows, "" if it shows none.
func NameIn(body []byte) string {
	var o struct{ Metadata struct{ Name string } }
	_ = json.Unmarshal(body, &o) // an unreadable body has no name
	return o.Metadata.Name
}
