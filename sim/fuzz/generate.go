package fuzz

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The odds of the generator, and its bounds. Few members of a struct with many are
// set at once: servers refuse most objects in which everything is.
const (
	mostOptional  = 0.6
	optionalAtOne = 3.5 // members that a struct gets, about, of those it may do without
	fadePerLevel  = 0.85
	onlyRequired  = 10 // the depth from which on only what must be there is made
	deepest       = 24
	mostElements  = 3
	emptyOdds     = 0.05
)

// The definitions that are not made from their form: apimachinery's names, which
// end so in every API server that uses it.
const (
	quantityType  = ".api.resource.Quantity"
	microTimeType = ".apis.meta.v1.MicroTime"
	metaType      = ".apis.meta.v1.ObjectMeta"
)

// untold are definitions that hold what no schema describes.
func untold(name string) bool {
	for _, end := range []string{".runtime.RawExtension", ".apis.meta.v1.FieldsV1", ".JSON", ".JSONSchemaProps"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// maker makes values from their published form.
type maker struct {
	shapes shapes
	random *rand.Rand
	// density is how many members are set, against the ordinary: few values show
	// what is lost alone, many what members do to each other.
	density float64
	// plain has it make only what hardly any server refuses: for a value that was.
	plain bool
	// aims are fields that the object is to have, as fieldWalk names them, and here is the
	// one that is being made.
	aims []string
	here string
}

// makerOf is the maker of one object: its seed and its number decide all of it.
func makerOf(s shapes, seed int64, number int) *maker {
	m := &maker{shapes: s, random: rand.New(rand.NewPCG(uint64(seed), uint64(number)))}
	m.density = []float64{0.5, 1, 2.5}[m.pick(3)]
	return m
}

// object makes an object of a kind. What is a subresource is not part of what
// is sent: servers clear it on create.
func (m *maker) object(root *spec.Schema, apiVersion, kind string, subresources []string) map[string]any {
	made := map[string]any{"apiVersion": apiVersion, "kind": kind}
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		property := root.Properties[name]
		if made[name] != nil || slices.Contains(subresources, name) {
			continue
		}
		if !slices.Contains(root.Required, name) && name != "metadata" && !m.chance(0.9) && !m.leads(name) {
			continue
		}
		if v, ok := m.memberOf(name, &property, 1); ok {
			made[name] = v
		}
	}
	return made
}

func (m *maker) chance(odds float64) bool { return m.random.Float64() < odds }

func (m *maker) pick(n int) int { return m.random.IntN(n) }

// value makes a value of a form; false when nothing can be made of it.
func (m *maker) value(at *spec.Schema, depth int) (any, bool) {
	at, name := m.shapes.resolve(at)
	switch {
	case at == nil || depth > deepest || untold(name):
		return nil, false
	case strings.HasSuffix(name, quantityType):
		return m.quantity(), true
	case strings.HasSuffix(name, metaType):
		return m.metadata(), true
	case strings.HasSuffix(name, microTimeType):
		return m.time(true), true
	case len(at.Enum) > 0:
		return plainJSON(at.Enum[m.pick(len(at.Enum))]), true
	case isIntOrString(at):
		return m.intOrString(), true
	case isOpen(at):
		return m.anything(at), true
	case len(at.Properties) > 0:
		return m.structure(at, depth), true
	case at.Type.Contains("array"):
		return m.list(at, depth)
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		return m.dictionary(at, depth)
	}
	return m.scalar(at)
}

// structure makes a struct: what it must have, and some of what it may have.
func (m *maker) structure(at *spec.Schema, depth int) map[string]any {
	made := map[string]any{}
	odds := math.Min(mostOptional, m.density*optionalAtOne/float64(max(1, len(at.Properties)-len(at.Required))))
	odds *= math.Pow(fadePerLevel, float64(depth-1))
	for _, name := range slices.Sorted(maps.Keys(at.Properties)) {
		property := at.Properties[name]
		// Drawn for each, so that what is made of one does not hang on another.
		wanted := m.chance(odds) && depth < onlyRequired || m.leads(name)
		if !wanted && !slices.Contains(at.Required, name) {
			continue
		}
		if v, ok := m.memberOf(name, &property, depth+1); ok {
			made[name] = v
		}
	}
	if m.plain && len(made) == 0 {
		m.addOne(made, at, depth)
	}
	return made
}

// addOne gives an empty struct one of its members: what may be left out is not
// always what all may be left out.
func (m *maker) addOne(made map[string]any, at *spec.Schema, depth int) {
	names := slices.Sorted(maps.Keys(at.Properties))
	name := names[m.pick(len(names))]
	property := at.Properties[name]
	if v, ok := m.memberOf(name, &property, depth+1); ok {
		made[name] = v
	}
}

// memberOf makes a member of a struct. One that refers to a kind by its version has
// to have a version's form, which no schema says.
func (m *maker) memberOf(name string, at *spec.Schema, depth int) (any, bool) {
	if name == "apiVersion" {
		return "example.com/v1", true
	}
	return m.in(fieldIn(m.here, name), at, depth)
}

// element makes an element of a list, or an entry of a dictionary.
func (m *maker) element(at *spec.Schema, depth int) (any, bool) {
	return m.in(m.here+"[]", at, depth)
}

// in makes the value of a field.
func (m *maker) in(here string, at *spec.Schema, depth int) (any, bool) {
	was := m.here
	m.here = here
	defer func() { m.here = was }()
	return m.value(at, depth)
}

// metadata makes what of an object's metadata is anyone's to choose.
func (m *maker) metadata() map[string]any {
	made := map[string]any{"labels": m.words()}
	if m.chance(0.3) {
		made["annotations"] = m.words()
	}
	return made
}

// words makes a dictionary of texts. All come from one small set, so that what
// selects by labels may find them.
func (m *maker) words() map[string]any {
	made := map[string]any{"a": "x"}
	for _, key := range []string{"b", "c"} {
		if m.plain || m.chance(0.3) {
			made[key] = "x"
		}
	}
	return made
}

func (m *maker) dictionary(at *spec.Schema, depth int) (any, bool) {
	element, name := m.shapes.resolve(at.AdditionalProperties.Schema)
	if element != nil && name == "" && element.Type.Contains("string") && element.Format == "" {
		return m.words(), true
	}
	made := map[string]any{}
	for _, key := range []string{"a", "b", "c"}[:m.count(at.MinProperties, at.MaxProperties)] {
		v, ok := m.element(at.AdditionalProperties.Schema, depth+1)
		if !ok {
			return nil, false
		}
		made[key] = v
	}
	return made, true
}

// count draws how many elements there are, within the published bounds.
func (m *maker) count(least, most *int64) int {
	n := 1 + m.pick(mostElements)
	if m.plain || m.chance(0.5) {
		n = 1
	} else if m.chance(emptyOdds) {
		n = 0
	}
	if most != nil {
		n = min(n, int(*most))
	}
	if least != nil {
		n = max(n, int(*least))
	}
	if n == 0 && m.aimsAt(m.here+"[]") {
		return 1
	}
	return n
}

// list makes a list. Where its elements have keys, or are a set, no two are alike.
func (m *maker) list(at *spec.Schema, depth int) (any, bool) {
	if at.Items == nil || at.Items.Schema == nil {
		return nil, false
	}
	n := m.count(at.MinItems, at.MaxItems)
	made, seen := []any{}, map[string]bool{}
	for tries := 0; len(made) < n && tries < 10*n; tries++ {
		v, ok := m.element(at.Items.Schema, depth+1)
		if !ok {
			return nil, false
		}
		if key := m.keyOf(at, v); key != "" {
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		made = append(made, v)
	}
	return made, at.MinItems == nil || len(made) >= int(*at.MinItems)
}

// keyOf tells an element of a list from others, "" where they need not differ.
func (m *maker) keyOf(list *spec.Schema, element any) string {
	kind, _ := list.Extensions["x-kubernetes-list-type"].(string)
	keys, _ := list.Extensions["x-kubernetes-list-map-keys"].([]any)
	fields, isMap := element.(map[string]any)
	switch {
	case kind == "map" && isMap:
		var parts []any
		for _, key := range keys {
			name, _ := key.(string)
			v := fields[name]
			if p := m.shapes.member(list.Items.Schema, name); v == nil && p != nil {
				v = plainJSON(p.Default)
			}
			parts = append(parts, v)
		}
		return jsonText(parts)
	case kind == "set" || list.UniqueItems:
		return jsonText(element)
	}
	return ""
}

func jsonText(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "" // what the maker makes is JSON
	}
	return string(raw)
}
