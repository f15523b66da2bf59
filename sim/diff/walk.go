package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// maxVisited bounds the fields that are visited: three times those of all kinds of a kube-apiserver, in
// about 400 MB. Definitions that refer to each other may have paths without number.
const maxVisited = 1_500_000

// here is where a walk is: a path of a kind, and the same place inside the type that the new
// release publishes for it.
type here struct {
	kind   versionKind
	stored bool
	path   string
	// holder is the definition, and inner the path within it.
	holder, inner string
	above         []string // the definitions that lead here
	gates         []Gate   // that this place is behind
	// structure is the inlined struct that declares the place, nil if a named type does. mergedAs are the types of
	// the lists and maps on the path, in both releases, each once: atomic/map.
	structure *structure
	mergedAs  []string
}

// property returns the place as a property of its type; what is inlined deeper has no property.
func (h here) property() property { return property{h.holder, strings.TrimPrefix(h.inner, ".")} }

// behind returns the place with more gates.
func (h here) behind(gates []Gate) here {
	h.gates = slices.Clip(h.gates)
	for _, g := range gates {
		if !slices.ContainsFunc(h.gates, func(other Gate) bool { return other.Name == g.Name }) {
			h.gates = append(h.gates, g)
		}
	}
	return h
}

// member returns the place of a member of an object.
func (h here) member(name string) here {
	e := fieldpath.FieldNameElement(name)
	h.path, h.inner = path.Below(h.path, e), path.Below(h.inner, e)
	return h
}

// element returns the place of the elements of a list, or the entries of a map.
func (h here) element() here {
	h.path, h.inner = h.path+"[]", h.inner+"[]"
	return h
}

// isElement reports whether the place is that of elements.
func (h here) isElement() bool { return strings.HasSuffix(h.path, "[]") }

// fields compares the schemas of every kind that both releases publish.
func (c *comparison) fields() {
	for _, at := range slices.SortedFunc(maps.Keys(c.new.roots), versionKind.compare) {
		before, both := c.old.roots[at]
		after := c.new.roots[at]
		if !both || isList(at, c.new.definitions[after]) {
			continue
		}
		h := here{kind: at, stored: isStored(c.old.kinds[at]) && isStored(c.new.kinds[at]), holder: after}
		c.walk(h, reference(before), reference(after))
	}
}

func (v versionKind) compare(other versionKind) int {
	return cmp.Or(strings.Compare(v.apiVersion, other.apiVersion), strings.Compare(v.kind, other.kind))
}

func reference(name string) *spec.Schema {
	return &spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef(definitionPrefix + name)}}
}

// madeOf returns the types of the members of objects that only one kind has, by their names: what a template of the
// kind's objects has too.
func (r release) madeOf() map[string]Place {
	all, shared := map[string]Place{}, map[string]bool{}
	for at, root := range r.roots {
		for member, of := range r.definitions[root].Properties {
			_, name := r.definitions.resolve(&of)
			if was, known := all[name]; known && was.Kind != at.kind {
				shared[name] = true
			}
			all[name] = here{kind: at}.member(member).place()
		}
	}
	maps.DeleteFunc(all, func(name string, _ Place) bool { return name == "" || shared[name] })
	return all
}

// walk compares two schemas of one place, and what is below them.
func (c *comparison) walk(h here, old, new *spec.Schema) {
	if c.visited++; c.visited > maxVisited {
		c.cutOff = true
		return
	}
	before, _ := c.old.definitions.resolve(old)
	after, name := c.new.definitions.resolve(new)
	if len(before) == 0 || len(after) == 0 || name != "" && slices.Contains(h.above, name) {
		return
	}
	a, b := before[len(before)-1], after[len(after)-1]
	h = h.within(c, a, b)
	of, in := attributesOf(before), attributesOf(after)
	value{c}.attributes(h, of, in)
	if shape(a) != shape(b) {
		return
	}
	if name != "" {
		h.holder, h.inner, h.structure = name, "", nil
		h.above = append(slices.Clip(h.above), name)
		if of, is := c.made[name]; is && of.Kind != h.kind.kind {
			c.parts[h.place()] = of
		}
		c.said(h, property{name, ""}, false)
	}
	h = h.through(of.list, in.list)
	c.members(h, a, b)
	if inA, inB := elementOf(a), elementOf(b); inA != nil && inB != nil {
		c.walk(h.element(), inA, inB)
	}
}

// members compares the members of two objects.
func (c *comparison) members(h here, old, new *spec.Schema) {
	required, was := namesIn(new.Required), namesIn(old.Required)
	for _, name := range slices.Sorted(maps.Keys(new.Properties)) {
		at, after := h.member(name), new.Properties[name]
		before, both := old.Properties[name]
		at = at.behind(c.guards(&c.new, at.property(), &after))
		if !both && len(at.gates) == 0 {
			at = at.behind(c.guardsOfMembers(&after))
		}
		c.place(at, c.mentions(at.property(), &before, &after))
		if !both {
			c.field(term.FieldAdded, at, "", "", c.new.definitions.describe(&after))
		} else {
			c.walk(at, &before, &after)
		}
		c.said(at, at.property(), !both)
		c.required(at, presence(old, was, name), presence(new, required, name))
	}
	for _, name := range slices.Sorted(maps.Keys(merged(was, required))) {
		if !has(new.Properties, name) && (required[name] || !has(old.Properties, name)) { // a key of a map, or an unknown field
			c.required(h.member(name), presence(old, was, name), presence(new, required, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Properties)) {
		if before := old.Properties[name]; !has(new.Properties, name) {
			at := h.member(name)
			at = at.behind(c.guards(&c.old, at.property(), &before))
			c.field(term.FieldRemoved, at, "", c.old.definitions.describe(&before), "")
		}
	}
}

// said adds what the source says of a property, or of a type, at a place where the walk came to
// it.
func (c *comparison) said(h here, of property, added bool) {
	for _, p := range c.pending[of] {
		if p.added == added {
			c.at(h, p.difference)
		}
	}
}

// namesIn returns names as a set.
func namesIn(names []string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}

// presence reports in a word whether a release requires a member; "" for one that it neither requires nor
// publishes. Required has the names of those that it requires.
func presence(s *spec.Schema, required map[string]bool, name string) string {
	switch {
	case required[name]:
		return "required"
	case has(s.Properties, name):
		return "optional"
	}
	return ""
}

func (c *comparison) required(at here, old, new string) {
	switch {
	case new == "required" && old != "required":
		c.field(term.RequiredAdded, at, "", old, new)
	case old == "required" && new != "required":
		c.field(term.RequiredRemoved, at, "", old, new)
	}
}

// elementOf returns the schema of a list's elements, or of a map's entries; nil without one.
func elementOf(s *spec.Schema) *spec.Schema {
	switch {
	case s.Items != nil:
		return s.Items.Schema
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema
	}
	return nil
}

func has[V any](m map[string]V, name string) bool {
	_, is := m[name]
	return is
}
