package fuzz

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// Schemas do not say which member of a union is due, what a schedule looks like, or that a
// name has to be an address. An example says it: one object of the kind that the release's
// own source has. Objects are made of their schema, and of their example where there is one.

// Examples are objects of a release's own source, by API version and resource:
// "example.dev/v1/gadgets".
type Examples map[string]json.RawMessage

// example is the example of a kind at a place, of its own release or of the other, and of
// its own version or of another of the group; nil: there is none.
func (f *fuzzer) example(at place) map[string]any {
	for _, role := range []term.Role{at.role, term.New, term.Old} {
		all := f.config.Examples[role]
		for _, key := range append([]string{at.apiVersion() + "/" + at.resource.Plural}, sameResource(all, at.resource)...) {
			var object map[string]any
			if raw, has := all[key]; has && utiljson.Unmarshal(raw, &object) == nil && object != nil {
				return object
			}
		}
	}
	return nil
}

// sameResource are the keys of a resource in any version of its group.
func sameResource(all Examples, d client.Discovered) []string {
	group, _, grouped := strings.Cut(d.APIVersion, "/")
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(key string) bool {
		parts := strings.Split(key, "/")
		in := len(parts) == 2 && !grouped || len(parts) == 3 && grouped && parts[0] == group
		return !in || parts[len(parts)-1] != d.Plural
	})
}

// laidUnder is an example with what a made object has beside it: members that the example
// lacks, also in the elements of its lists.
func laidUnder(example, made map[string]any) map[string]any {
	all := copyOf(example)
	for name, v := range made {
		is, has := all[name]
		if !has {
			all[name] = v
			continue
		}
		all[name] = besideValue(is, v)
	}
	return all
}

func besideValue(is, made any) any {
	switch is := is.(type) {
	case map[string]any:
		if more, same := made.(map[string]any); same {
			return laidUnder(is, copyOf(more))
		}
	case []any:
		more, same := made.([]any)
		if !same || len(more) == 0 {
			return is
		}
		all := slices.Clone(is)
		for i := range all {
			all[i] = besideValue(all[i], more[0])
		}
		return all
	}
	return is
}

// The stages of an object for which there is an example: after so many mends it is made
// plainer, and at last it is the example.
const (
	plainerAfter = 12
	exampleAfter = 22
)

// begin makes the object. Some have nothing of their example, as long as they are taken, so
// that the example is not all that is seen.
func (m *mender) begin(example map[string]any, made func() map[string]any) {
	m.make, m.example = made, example
	if m.object = made(); example == nil || !m.naming.free() || m.chance(0.6) {
		m.layUnder(m.object)
	}
}

func (m *mender) layUnder(made map[string]any) {
	if m.example == nil {
		return
	}
	m.kept = m.example
	under := laidUnder(m.example, made)
	under["apiVersion"], under["kind"] = made["apiVersion"], made["kind"]
	m.object = under
}

// next begins the stage that is due after so many mends, or at once where nothing was left
// to change. It reports whether there was one.
func (m *mender) next(mends int, stuck bool) bool {
	if m.example == nil {
		return false
	}
	switch {
	case m.stage == 0 && (mends == plainerAfter || stuck):
		m.density, m.plain = 0.3, true
		m.layUnder(m.make())
	case m.stage <= 1 && (mends == exampleAfter || stuck):
		m.stage = 1
		m.layUnder(map[string]any{"apiVersion": m.object["apiVersion"], "kind": m.object["kind"]})
	default:
		return false
	}
	m.stage++
	m.complaints = map[string]int{}
	return true
}

// isExample reports whether the object has at a route what its example says: that stays, and
// what was made beside it goes.
func (m *mender) isExample(r route) bool {
	_, has := get(m.kept, r)
	return m.kept != nil && has
}

// dropBeside drops something that was made beside the example: what is nearest to a route.
func (m *mender) dropBeside(r route) bool {
	best, most := route(nil), -1
	for _, other := range m.routes() {
		if _, required := m.shapes.formAt(m.root, m.object, other); required || m.isExample(other) {
			continue
		}
		n := 0
		for n < min(len(r), len(other)) && r[n] == other[n] {
			n++
		}
		if n > most {
			best, most = other, n
		}
	}
	return most >= 0 && drop(m.object, best)
}

// naming is how objects of a kind have to be called, as the example's name shows.
type naming struct {
	address bool    // the name is an IP address
	prefix  string  // of every name, up to its last colon
	suffix  string  // of every name, from its first dot on
	label   string  // what the example's name begins with, before the suffix
	same    []route // members that are called like the label
}

// namingOf reads the name of an example.
func namingOf(example map[string]any) naming {
	metadata, _ := example["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if _, err := netip.ParseAddr(name); err == nil {
		return naming{address: true}
	}
	if i := strings.LastIndex(name, ":"); i >= 0 {
		return naming{prefix: name[:i+1]}
	}
	label, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return naming{}
	}
	var same []route
	for _, r := range routesOf(example) {
		if v, _ := get(example, r); v == label {
			same = append(same, r)
		}
	}
	return naming{suffix: "." + rest, label: label, same: same}
}

// free reports whether the name depends on nothing that an object holds.
func (n naming) free() bool { return !n.address && n.prefix == "" && len(n.same) == 0 }

// name gives a copy of an object a name of its own, made of a label.
func (n naming) name(object map[string]any, label string) (map[string]any, string) {
	full := n.prefix + label + n.suffix
	if n.address {
		full = addressOf(label)
	}
	object = named(object, full)
	for _, r := range n.same {
		if v, _ := get(object, r); v == n.label {
			put(object, r, label)
		}
	}
	return object, full
}

// addressOf is an address that no other label has, but by chance.
func addressOf(label string) string {
	sum := uint32(2166136261)
	for i := range len(label) {
		sum = (sum ^ uint32(label[i])) * 16777619
	}
	return netip.AddrFrom4([4]byte{10, byte(1 + sum>>16%250), byte(1 + sum>>8%250), byte(1 + sum%250)}).String()
}
