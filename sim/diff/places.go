package diff

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/scenarios/term"
)

// key identifies a difference: what differs of one property of one published type, however many
// kinds have the type.
type key struct {
	kind              term.DifferenceKind
	holder, inner     string
	name              string
	group, at, object string // of what is no field: its version and kind
}

// entry is a difference while it is collected.
type entry struct {
	Difference
	gates map[Place][]Gate // of each place
	// fields are those behind a gate, with their places; nil of what is no gate.
	fields map[property][]Place
	repeat string // see comparison.repeat
}

// add adds a place, with the gates that it is behind.
func (e *entry) add(p Place, gates []Gate) {
	e.Places = append(e.Places, p)
	if len(gates) > 0 {
		if e.gates == nil {
			e.gates = map[Place][]Gate{}
		}
		e.gates[p] = gates
	}
}

// field adds a difference of a field, or one more place of it.
func (c *comparison) field(kind term.DifferenceKind, h here, name, old, new string) {
	c.at(h, Difference{Difference: kind, Name: name, Old: old, New: new})
}

// at adds a difference at a place.
func (c *comparison) at(h here, d Difference) {
	k := key{kind: d.Difference, holder: h.holder, inner: h.inner, name: d.Name}
	e := c.found[k]
	if e == nil {
		d.Type = h.holder
		e = &entry{Difference: d, repeat: c.repeat(h, d)}
		c.found[k] = e
	}
	if h.stored && !e.Playable { // what is not stored is no place of what is
		e.Playable, e.Places = true, nil
	}
	if h.stored == e.Playable {
		e.add(h.place(), h.gates)
	}
}

func (h here) place() Place { return Place{h.kind.apiVersion, h.kind.kind, h.path} }

// other adds a difference of a kind, or of what no kind has.
func (c *comparison) other(d Difference) { c.found[keyOf(d)] = &entry{Difference: d} }

func keyOf(d Difference) key {
	return key{kind: d.Difference, name: d.Name, group: d.Group, at: d.Version, object: d.Kind}
}

// sorted returns the differences in the order of reports.
func (c *comparison) sorted() []Difference {
	newest := newestOf(c.old, c.new)
	c.gatherRepeats(newest)
	all := []Difference{}
	for _, e := range c.found {
		e.represent(newest)
		all = append(all, e.Difference)
	}
	slices.SortFunc(all, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(rank(a.Difference), rank(b.Difference)), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Version, b.Version), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func rank(kind term.DifferenceKind) int {
	return slices.IndexFunc(term.DifferenceKinds(), func(e term.Entry[term.DifferenceKind]) bool { return e.Word == kind })
}

// newestOf returns the newest version of each kind that either release serves: the most stable,
// and of those the newest.
func newestOf(all ...release) map[string]string {
	newest := map[string]string{}
	for _, r := range all {
		for at := range r.roots {
			group, v := at.split()
			name := group + " " + at.kind
			if now, is := newest[name]; !is || version.CompareKubeAwareVersionStrings(v, now) > 0 {
				newest[name] = v
			}
		}
	}
	return newest
}

// split returns the group, "" for the core group, and the version.
func (v versionKind) split() (group, version string) { return split(v.apiVersion) }

func split(apiVersion string) (group, version string) {
	if group, version, is := strings.Cut(apiVersion, "/"); is {
		return group, version
	}
	return "", apiVersion
}

// represent orders the places, the representative one first: in the newest version of its kind,
// and there the shallowest, in the core group if several are.
func (e *entry) represent(newest map[string]string) {
	for _, places := range e.fields {
		e.Places = append(e.Places, inOrder(places, newest)[0])
	}
	if e.Places = inOrder(e.Places, newest); len(e.Places) == 0 || e.Difference.Difference.IsGate() {
		return
	}
	first := e.Places[0]
	e.Group, e.Version = split(first.APIVersion)
	e.Kind, e.Path = first.Kind, first.Path
	if e.gates != nil {
		e.Gates = e.gates[first]
	}
}

func inOrder(places []Place, newest map[string]string) []Place {
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.age(newest), b.age(newest)), cmp.Compare(depth(a.Path), depth(b.Path)),
			cmp.Compare(strings.Count(a.APIVersion, "/"), strings.Count(b.APIVersion, "/")), cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path))
	})
	return slices.Compact(places)
}

// age is 0 for the newest version of a kind, 1 for others.
func (p Place) age(newest map[string]string) int {
	group, v := split(p.APIVersion)
	if newest[group+" "+p.Kind] == v {
		return 0
	}
	return 1
}

// depth counts the members that lead to a path.
func depth(path string) int { return strings.Count(path, ".") + strings.Count(path, "[") }
