package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The odds of the generator, and its bounds. It sets few members of a large struct at once:
// servers refuse most objects in which all are set.
const (
	maxOptional   = 0.6
	optionalAtOne = 3.5 // average number of optional members that a struct gets
	fadePerLevel  = 0.85
	onlyRequired  = 10 // from this depth on only required members are generated
	deepest       = 24
	maxElements   = 3
	emptyOdds     = 0.05
)

// The definitions whose values are not generated from their schema: types of apimachinery,
// whose names have these ends in every API server.
const (
	QuantityType  = ".api.resource.Quantity"
	MicroTimeType = ".apis.meta.v1.MicroTime"
	MetaType      = ".apis.meta.v1.ObjectMeta"
)

// Undescribed reports whether no schema describes a definition's values.
func Undescribed(name string) bool {
	for _, end := range []string{".runtime.RawExtension", ".apis.meta.v1.FieldsV1", ".JSON", ".JSONSchemaProps"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// generator generates values from their published schema.
type generator struct {
	definitions Definitions
	random      *rand.Rand
	// density is the factor for how many members are set: few values show what is lost
	// alone, many show interactions.
	density float64
	// plain restricts it to values that hardly any server refuses, for a value that was
	// refused.
	plain bool
	// targets are fields that the object should have, as Kind.Fields names them; here is
	// the field whose value is being generated.
	targets []string
	here    string
	// room is how many more values are generated for one object: a schema may ask for any number of elements, and
	// definitions that require each other for any number of members.
	room int
}

// maxValues is how many values of one object are generated.
const maxValues = 20_000

// generatorOf returns the generator of one object, which the seed and the number determine.
func generatorOf(d Definitions, seed int64, number int) *generator {
	g := &generator{definitions: d, random: rand.New(rand.NewPCG(uint64(seed), uint64(number))), room: maxValues}
	g.density = []float64{0.5, 1, 2.5}[g.pick(3)]
	return g
}

// object generates an object of a kind, without its subresources.
func (g *generator) object(k Kind) map[string]any {
	g.room = maxValues
	made := map[string]any{"apiVersion": k.APIVersion, "kind": k.Name}
	for _, name := range slices.Sorted(maps.Keys(k.root.Properties)) {
		property := k.root.Properties[name]
		if made[name] != nil || slices.Contains(k.Subresources, name) {
			continue
		}
		if !slices.Contains(k.root.Required, name) && name != "metadata" && !g.chance(0.9) && !g.leadsToTarget(name) {
			continue
		}
		if v, ok := g.memberOf(name, &property, 1); ok {
			made[name] = v
		}
	}
	if g.room < 0 { // no object has room for what is required
		return map[string]any{"apiVersion": k.APIVersion, "kind": k.Name}
	}
	return made
}

func (g *generator) chance(odds float64) bool { return g.random.Float64() < odds }

func (g *generator) pick(n int) int { return g.random.IntN(n) }

// value generates a value of a schema; false if it cannot.
func (g *generator) value(at *spec.Schema, depth int) (any, bool) {
	at, name := g.definitions.Resolve(at)
	g.room--
	switch {
	case at == nil || depth > deepest || g.room < 0 || Undescribed(name):
		return nil, false
	case strings.HasSuffix(name, QuantityType):
		return g.quantity(), true
	case strings.HasSuffix(name, MetaType):
		return g.metadata(), true
	case strings.HasSuffix(name, MicroTimeType):
		return g.time(true), true
	case len(at.Enum) > 0:
		return PlainJSON(at.Enum[g.pick(len(at.Enum))]), true
	case IsIntOrString(at):
		return g.intOrString(), true
	case IsOpen(at):
		return g.anything(at), true
	case len(at.Properties) > 0:
		return g.structure(at, depth), true
	case at.Type.Contains("array"):
		return g.list(at, depth)
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		return g.dictionary(at, depth)
	}
	return g.scalar(at)
}

// structure generates a struct: all required members, and some optional ones.
func (g *generator) structure(at *spec.Schema, depth int) map[string]any {
	made := map[string]any{}
	odds := math.Min(maxOptional, g.density*optionalAtOne/float64(max(1, len(at.Properties)-len(at.Required))))
	odds *= math.Pow(fadePerLevel, float64(depth-1))
	for _, name := range slices.Sorted(maps.Keys(at.Properties)) {
		property := at.Properties[name]
		// Drawn for every member, so that the value of one does not depend on another.
		wanted := g.chance(odds) && depth < onlyRequired || g.leadsToTarget(name)
		if !wanted && !slices.Contains(at.Required, name) {
			continue
		}
		if v, ok := g.memberOf(name, &property, depth+1); ok {
			made[name] = v
		}
	}
	if g.plain && len(made) == 0 {
		g.addOne(made, at, depth)
	}
	return made
}

// addOne gives an empty struct one of its members: a struct whose members are all optional
// may still need one.
func (g *generator) addOne(made map[string]any, at *spec.Schema, depth int) {
	names := slices.Sorted(maps.Keys(at.Properties))
	name := names[g.pick(len(names))]
	property := at.Properties[name]
	if v, ok := g.memberOf(name, &property, depth+1); ok {
		made[name] = v
	}
}

// memberOf generates a member of a struct. The apiVersion of a reference must look like a
// version, which no schema says.
func (g *generator) memberOf(name string, at *spec.Schema, depth int) (any, bool) {
	if name == "apiVersion" {
		return "example.com/v1", true
	}
	return g.in(below(g.here, name), at, depth)
}

// element generates an element of a list, or an entry of a dictionary.
func (g *generator) element(at *spec.Schema, depth int) (any, bool) {
	return g.in(g.here+"[]", at, depth)
}

// in generates the value of a field.
func (g *generator) in(here string, at *spec.Schema, depth int) (any, bool) {
	was := g.here
	g.here = here
	defer func() { g.here = was }()
	return g.value(at, depth)
}

// metadata generates the part of an object's metadata that a client may set.
func (g *generator) metadata() map[string]any {
	made := map[string]any{"labels": g.words()}
	if g.chance(0.3) {
		made["annotations"] = g.words()
	}
	return made
}

// words generates a dictionary of texts. All come from one small set, so that label
// selectors may match.
func (g *generator) words() map[string]any {
	made := map[string]any{"a": "x"}
	for _, key := range []string{"b", "c"} {
		if g.plain || g.chance(0.3) {
			made[key] = "x"
		}
	}
	return made
}

func (g *generator) dictionary(at *spec.Schema, depth int) (any, bool) {
	element, name := g.definitions.Resolve(at.AdditionalProperties.Schema)
	isPlain := element != nil && name == "" && element.Type.Contains("string") && element.Format == "" && element.Pattern == "" && len(element.Enum) == 0
	if isPlain && at.MinProperties == nil && at.MaxProperties == nil {
		return g.words(), true
	}
	made := map[string]any{}
	for i := range g.count(at.MinProperties, at.MaxProperties) {
		v, ok := g.element(at.AdditionalProperties.Schema, depth+1)
		if !ok {
			return nil, false
		}
		made[entryKey(i)] = v
	}
	return made, true
}

// entryKey returns one of the keys of a dictionary: a to z, and then a26, a27.
func entryKey(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return fmt.Sprintf("a%d", i)
}

// count draws a number of elements within the published bounds.
func (g *generator) count(least, most *int64) int {
	n := 1 + g.pick(maxElements)
	if g.plain || g.chance(0.5) {
		n = 1
	} else if g.chance(emptyOdds) {
		n = 0
	}
	if most != nil {
		n = int(min(int64(n), max(0, *most)))
	}
	if least != nil {
		n = max(n, int(*least))
	}
	if n == 0 && g.isTarget(g.here+"[]") {
		return 1
	}
	return n
}

// list generates a list. If its elements have keys, or it is a set, no two are equal.
func (g *generator) list(at *spec.Schema, depth int) (any, bool) {
	if at.Items == nil || at.Items.Schema == nil {
		return nil, false
	}
	n := g.count(at.MinItems, at.MaxItems)
	made, seen := []any{}, map[string]bool{}
	for tries := 0; len(made) < n && tries < 10*n; tries++ {
		v, ok := g.element(at.Items.Schema, depth+1)
		if !ok {
			return nil, false
		}
		if key := g.keyOf(at, v); key != "" {
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		made = append(made, v)
	}
	return made, at.MinItems == nil || len(made) >= int(*at.MinItems)
}

// keyOf returns what distinguishes an element of a list from others; "" if they need not
// differ.
func (g *generator) keyOf(list *spec.Schema, element any) string {
	kind, _ := list.Extensions["x-kubernetes-list-type"].(string)
	keys, _ := list.Extensions["x-kubernetes-list-map-keys"].([]any)
	fields, isMap := element.(map[string]any)
	switch {
	case kind == "map" && isMap:
		var parts []any
		for _, key := range keys {
			name, _ := key.(string)
			v := fields[name]
			if p := g.definitions.Member(list.Items.Schema, name); v == nil && p != nil {
				v = PlainJSON(p.Default)
			}
			parts = append(parts, v)
		}
		return JSONText(parts)
	case kind == "set" || list.UniqueItems:
		return JSONText(element)
	}
	return ""
}

// JSONText returns a value as JSON; "" for a value that has no JSON.
func JSONText(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "" // generated values are always JSON
	}
	return string(raw)
}
