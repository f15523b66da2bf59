package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// ThresholdsOf returns the writes that a difference permits and that the older release cannot read or keep; none
// for differences that permit none at the default settings of the newer release.
func ThresholdsOf(d diff.Difference) []Threshold {
	gate := ""
	for _, g := range d.Gates {
		if g.New == nil || !g.New.Default {
			return nil
		}
		gate = g.Name
	}
	t := Threshold{Group: d.Group, Kind: d.Kind, Path: d.Path, Gate: gate, places: d.Places}
	switch d.Difference {
	case term.FieldAdded:
		t.What = fmt.Sprintf("%s %s of %s", Writer(d.Path), d.Path, WithArticle(d.Kind))
	case term.EnumValueAdded:
		t.What = fmt.Sprintf("%s %s of %s as %s", Writer(d.Path), d.Path, WithArticle(d.Kind), d.Name)
		if !inStatus(d.Path) {
			t.What = fmt.Sprintf("%s %s of %s to %s", Writer(d.Path), d.Path, WithArticle(d.Kind), d.Name)
		}
		t.value, t.known = d.Name, true
	case term.StorageChanged:
		t.What, t.places = fmt.Sprintf("a server writes %s, which is stored as %s then", WithArticle(d.Kind), d.New), nil
	case term.GateChanged:
		return ofGate(d, gate)
	default:
		return nil
	}
	return []Threshold{t}
}

// ofGate returns the writes that a gate permits: one for each field of a kind that names it, in whatever version. Of a
// gate that no field names, nothing says that what it does is stored.
func ofGate(d diff.Difference, gate string) (all []Threshold) {
	if len(d.Gates) != 1 || d.Gates[0].Old != nil && d.Gates[0].Old.Default {
		return nil
	}
	for _, p := range d.Places {
		below := slices.ContainsFunc(d.Places, func(other diff.Place) bool {
			return ofKind(other, p) && other.Path != p.Path && Above(other.Path, p.Path)
		})
		i := slices.IndexFunc(all, func(t Threshold) bool { return ofKind(t.places[0], p) && t.Path == p.Path })
		switch {
		case below:
		case i >= 0:
			all[i].places = append(all[i].places, p)
		default:
			all = append(all, Threshold{
				Group: GroupOf(p.APIVersion), Kind: p.Kind, Path: p.Path, Gate: gate, places: []diff.Place{p}, known: true,
				What: whatNeeds(p.Kind, p.Path, "the gate "+gate),
			})
		}
	}
	return all
}

// Writer says who writes a field: users write no status.
func Writer(path string) string {
	if inStatus(path) {
		return "a controller, kubelet or server writes"
	}
	return "someone sets"
}

// whatNeeds is a write of a field that the older release has too, to a value that gates permit.
func whatNeeds(kind, path, gates string) string {
	text := fmt.Sprintf("%s %s of %s", Writer(path), path, WithArticle(kind))
	if inStatus(path) {
		return text
	}
	return text + " to what needs " + gates
}

func inStatus(path string) bool { return Above("."+string(reading.Status), path) }

// WithArticle returns a kind with its article.
func WithArticle(kind string) string {
	if kind != "" && strings.Contains("AEIO", kind[:1]) {
		return "an " + kind
	}
	return "a " + kind
}

// ofKind reports whether two places are of one kind, in whatever versions.
func ofKind(a, b diff.Place) bool {
	return a.Kind == b.Kind && GroupOf(a.APIVersion) == GroupOf(b.APIVersion)
}

// Join adds a write to others, those of fields that a release adds first. Two gates of one field are one write.
func Join(all []Threshold, t Threshold) []Threshold {
	for i, other := range all {
		if other.What == t.What && other.Gate == t.Gate {
			return all
		}
		if t.Path == "" || other.Kind != t.Kind || other.Group != t.Group || other.Path != t.Path || other.value != t.value {
			continue
		}
		if !other.known || !t.known { // one release alone has the field, whatever gate it is behind
			all[i].known = false
			return all
		}
		if !slices.Contains(strings.Split(other.Gate, ", "), t.Gate) {
			all[i].Gate = other.Gate + ", " + t.Gate
			all[i].What = whatNeeds(t.Kind, t.Path, "one of the gates "+all[i].Gate)
		}
		return all
	}
	return append(all, t)
}

// Known reports whether the older release has the field, so that a gate of its own decides which values it
// takes.
func (t Threshold) Known() bool { return t.known }

// At returns where an object of a group and kind has the field; "" if it has it nowhere.
func (t Threshold) At(group, kind string) string {
	for _, p := range t.places {
		if p.Kind == kind && GroupOf(p.APIVersion) == group {
			return p.Path
		}
	}
	return ""
}

// Concerns reports whether a finding is about the field of the write, or about what is around or below it.
func (t Threshold) Concerns(f Finding) bool {
	at := t.At(f.Group, f.Kind)
	if f.Group == t.Group && f.Kind == t.Kind {
		at = t.Path
	}
	return at != "" && (Above(f.Path, at) || Above(at, f.Path))
}

// OfControllers reports whether the write is of a field at a path in a status, whatever its value: users do not
// write it, and controllers or kubelets of the newer release may. The older release may have the field behind a gate.
func (t Threshold) OfControllers(path string) bool { return t.value == "" && inStatus(path) }

// HasPlace reports whether an object has a place for a field: an element of the list that the field is below.
// A field that is below no list has a place in each object.
func HasPlace(object func() any, path string) bool {
	const element = "[]"
	at := strings.LastIndex(path, element)
	return at < 0 || len(valuesAt(object(), mask.Elements(path[:at+len(element)]))) > 0
}

// Values returns the values that an object has at a path, as far as the write is one of them.
func (t Threshold) Values(object any, path string) (all []any) {
	for _, v := range valuesAt(object, mask.Elements(path)) {
		if t.value == "" || v == t.value {
			all = append(all, v)
		}
	}
	return all
}

func valuesAt(node any, at []string) (all []any) {
	if len(at) == 0 {
		if node == nil {
			return nil
		}
		return []any{node}
	}
	name, isField := strings.CutPrefix(at[0], ".")
	switch n := node.(type) {
	case map[string]any:
		if isField {
			return valuesAt(n[name], at[1:])
		}
		for _, v := range n { // the path has no keys of maps
			all = append(all, valuesAt(v, at[1:])...)
		}
	case []any:
		if isField {
			return nil
		}
		for _, v := range n {
			all = append(all, valuesAt(v, at[1:])...)
		}
	}
	return all
}
