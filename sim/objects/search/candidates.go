package search

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
)

// PlainWord is a text that is valid nearly everywhere, and that no sentence of a server has by
// chance.
const PlainWord = "sample"

// The definitions of apimachinery whose values have a form of their own.
const (
	selectorType    = ".apis.meta.v1.LabelSelector"
	requirementType = ".apis.meta.v1.LabelSelectorRequirement"
	rawType         = ".runtime.RawExtension"
	managedType     = ".apis.meta.v1.FieldsV1"
)

// deepestLeast bounds the depth of a value of required members alone, and maxMembers is how
// many members of a struct are tried one by one.
const (
	deepestLeast = 10
	maxMembers   = 10
	maxElement   = 10
)

// schemas generates values of the definitions of a document.
type schemas struct {
	objects.Definitions
	room *room
}

// room is how many more values one search makes: a schema may ask for any number of elements, and definitions that
// require each other for any number of members.
type room struct{ left int }

const maxValues = 100_000

// takes takes room for values; false if there is not enough.
func (r *room) takes(values int) bool {
	r.left -= values
	return r.left >= 0
}

// least returns the smallest value of a schema: required members and elements alone.
func (d schemas) least(at *spec.Schema, name string, depth int) any {
	at, definition := d.Resolve(at)
	if at == nil || depth > deepestLeast || !d.room.takes(1) {
		return nil
	}
	if known := wellKnown(definition); known != nil {
		return known[0]
	}
	switch {
	case objects.IsOpen(at), objects.IsIntOrString(at):
		return d.candidates(at, name, depth)[0]
	case len(at.Properties) > 0:
		made := map[string]any{}
		for _, member := range at.Required {
			if property, has := at.Properties[member]; has {
				made[member] = d.filled(&property, member, depth+1)
			}
		}
		return made
	case at.Items != nil:
		made := []any{}
		for at.MinItems != nil && int64(len(made)) < *at.MinItems && at.Items.Schema != nil {
			element := d.distinct(at, made, name)
			if d.room.left < 0 {
				return nil
			}
			made = append(made, element)
		}
		return made
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		if at.MinProperties == nil || *at.MinProperties <= 0 {
			return map[string]any{}
		}
		return d.withEntries(at, map[string]any{}, d.filled(at.AdditionalProperties.Schema, name, depth+1))
	}
	if all := d.candidates(at, name, depth); len(all) > 0 {
		return all[0]
	}
	return nil
}

// filled returns the smallest value that is not an empty list or map.
func (d schemas) filled(at *spec.Schema, name string, depth int) any {
	v := d.least(at, name, depth)
	resolved, _ := d.Resolve(at)
	if resolved == nil || !objects.IsEmpty(v) || depth > deepestLeast {
		return v
	}
	switch {
	case resolved.Items != nil && resolved.Items.Schema != nil:
		return []any{d.distinct(resolved, nil, name)}
	case len(resolved.Properties) == 0 && resolved.AdditionalProperties != nil && resolved.AdditionalProperties.Schema != nil:
		return map[string]any{PlainWord: d.filled(resolved.AdditionalProperties.Schema, name, depth+1)}
	}
	return v
}

// withEntries returns a map with as many entries as its schema asks for, further ones of one value; nil: there is no
// room for them.
func (d schemas) withEntries(at *spec.Schema, entries map[string]any, v any) any {
	for n := int64(1); at.MinProperties != nil && int64(len(entries)) < *at.MinProperties; n++ {
		if !d.room.takes(1) {
			return nil
		}
		key := PlainWord
		if n > 1 {
			key = fmt.Sprintf("%s-%d", PlainWord, n)
		}
		if _, has := entries[key]; !has {
			entries[key] = copyValue(v)
		}
	}
	return entries
}

// distinct returns an element for a list that differs from those that it has: in its keys, or
// as a whole.
func (d schemas) distinct(list *spec.Schema, others []any, name string) any {
	if !d.room.takes(len(others)) {
		return nil
	}
	element := d.filled(list.Items.Schema, name, 1)
	keys, _ := list.Extensions["x-kubernetes-list-map-keys"].([]any)
	fields, isMap := element.(map[string]any)
	for _, key := range keys {
		named, _ := key.(string)
		if member := d.Member(list.Items.Schema, named); isMap && member != nil && fields[named] == nil {
			if resolved, _ := d.Resolve(member); resolved != nil && resolved.Default == nil {
				fields[named] = d.filled(member, named, 2)
			}
		}
	}
	if member := d.Member(list.Items.Schema, "metadata"); isMap && member != nil && fields["metadata"] == nil {
		if _, definition := d.Resolve(member); strings.HasSuffix(definition, objects.MetaType) {
			fields["metadata"] = map[string]any{nameMember: unusedName(others)}
		}
	}
	used := map[string]bool{}
	for _, other := range others {
		used[d.KeyOf(list, other)] = true
	}
	for n := 2; used[d.KeyOf(list, element)] && d.KeyOf(list, element) != "" && n < len(others)+maxMembers; n++ {
		if !isMap {
			element = another(element, n)
		}
		for _, key := range keys {
			if named, _ := key.(string); isMap {
				fields[named] = another(fields[named], n)
			}
		}
	}
	return element
}

// unusedName returns a name for one more element.
func unusedName(others []any) string {
	if len(others) == 0 {
		return PlainWord
	}
	return fmt.Sprintf("%s-%d", PlainWord, len(others)+1)
}

// another returns a value like a scalar, and not equal to it.
func another(v any, n int) any {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%s-%d", PlainWord, n)
	case int64:
		return v + 1
	}
	return v
}

// wellKnown returns values of the types that schemas do not describe; nil for others.
func wellKnown(definition string) []any {
	has := func(end string) bool { return strings.HasSuffix(definition, end) }
	switch {
	case has(objects.QuantityType):
		return []any{"1", "2", "1Gi", "100m", "10", "1Ki", "0"}
	case has(objects.MicroTimeType):
		return []any{"2017-01-02T03:04:05.000006Z"}
	case has(objects.MetaType):
		return []any{map[string]any{"labels": map[string]any{PlainWord: PlainWord}}}
	case has(selectorType):
		return []any{map[string]any{"matchLabels": map[string]any{PlainWord: PlainWord}}}
	case has(requirementType):
		return []any{map[string]any{"key": PlainWord + "-other", "operator": "NotIn", "values": []any{PlainWord}},
			map[string]any{"key": PlainWord, "operator": "Exists"}, map[string]any{"key": PlainWord, "operator": "In", "values": []any{PlainWord}}}
	case has(rawType):
		return []any{map[string]any{"apiVersion": "example.com/v1", "kind": "Sample", "a": "x"}, map[string]any{"a": "x"}}
	case has(managedType):
		return []any{map[string]any{"f:metadata": map[string]any{}}}
	case has(".JSONSchemaProps"):
		return []any{map[string]any{"type": "object"}, map[string]any{"type": "string"}}
	case has(".JSONSchemaPropsOrBool"), has(".JSONSchemaPropsOrArray"):
		return []any{map[string]any{"type": "string"}, true}
	case has(".JSONSchemaPropsOrStringArray"):
		return []any{[]any{PlainWord}, map[string]any{"type": "string"}}
	case objects.Undescribed(definition):
		return []any{PlainWord, int64(1), true, map[string]any{}, []any{PlainWord}}
	}
	return nil
}

// candidates returns values of a schema, the likeliest first; the published default is last.
func (d schemas) candidates(at *spec.Schema, name string, depth int) []any {
	at, definition := d.Resolve(at)
	if at == nil || depth > deepestLeast {
		return nil
	}
	all := wellKnown(definition)
	switch {
	case len(at.Properties) > 0:
		all = append(all, d.structs(at, name, depth)...)
	case all != nil:
	case len(at.Enum) > 0:
		for _, v := range at.Enum {
			all = append(all, objects.PlainJSON(v))
		}
	case objects.IsIntOrString(at):
		all = []any{int64(1)}
		for _, text := range append([]string{"50%", PlainWord}, objects.MatchingAll(at)...) {
			if objects.Matches(at, text) {
				all = append(all, text)
			}
		}
		all = append(all, int64(80))
	case objects.IsOpen(at):
		all = []any{map[string]any{"a": "x"}, map[string]any{"apiVersion": "example.com/v1", "kind": "Sample"}}
	case at.Items != nil && at.Items.Schema != nil:
		all = d.listsOf(at, name, depth)
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		all = d.mapsOf(at, name, depth)
	default:
		all = scalarsOf(at, name)
	}
	return defaultLast(all, at)
}

// defaultLast moves values that are as good as absent to the end.
func defaultLast(all []any, at *spec.Schema) []any {
	slices.SortStableFunc(all, func(a, b any) int { return order(isAbsent(at, a)) - order(isAbsent(at, b)) })
	return all
}

// isAbsent reports whether a server may treat a value as it treats no value: the published
// default, or a zero without one.
func isAbsent(at *spec.Schema, v any) bool {
	if at.Default != nil {
		return reflect.DeepEqual(v, objects.PlainJSON(at.Default))
	}
	return v == "" || v == int64(0) || v == false
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

func (d schemas) listsOf(at *spec.Schema, name string, depth int) (all []any) {
	seen := map[string]bool{}
	elements := d.candidates(at.Items.Schema, name, depth+1)
	first := d.distinct(at, nil, name)
	for _, element := range append([]any{first}, elements...) {
		if text := objects.JSONText(element); element != nil && !seen[text] && len(all) < maxElement {
			seen[text] = true
			all = append(all, []any{element})
		}
	}
	if at.MinItems != nil && *at.MinItems > 1 {
		all = append([]any{d.least(at, name, depth)}, all...)
	}
	return all
}

func (d schemas) mapsOf(at *spec.Schema, name string, depth int) (all []any) {
	values := d.candidates(at.AdditionalProperties.Schema, name, depth+1)
	keys := append([]string{PlainWord}, describedIn(at)...)
	for _, v := range values[:min(len(values), 3)] {
		for _, key := range append(keys, "example.com/"+PlainWord) {
			if whole := d.withEntries(at, map[string]any{key: v}, v); whole != nil {
				all = append(all, whole)
			}
		}
	}
	return all
}

// scalarsOf returns numbers, texts and truth values within the published bounds.
func scalarsOf(at *spec.Schema, name string) (all []any) {
	switch {
	case at.Type.Contains("boolean"):
		return []any{true, false}
	case at.Type.Contains("integer"):
		return integersOf(at)
	case at.Type.Contains("number"):
		if all = integersOf(at); len(all) == 0 {
			all = objects.Fractions(at)
		}
		return all
	case at.Type.Contains("string"):
		return textsOf(at, name)
	case at.Type.Contains("object"):
		return []any{map[string]any{}}
	case at.Type.Contains("array"):
		return []any{[]any{}}
	}
	return []any{map[string]any{"a": "x"}, PlainWord}
}

func integersOf(at *spec.Schema) (all []any) {
	low, high := objects.Bounds(at)
	numbers := []int64{1, 2, 3, 5, 10, 60, 80, 100, 600, 1000, 8080, 30080, 65534, -1, 0}
	if at.Minimum != nil || at.Maximum != nil {
		numbers = append(numbers, low, high)
	}
	for _, n := range append(numbers, objects.Multiples(at)...) {
		isMultiple := at.MultipleOf == nil || math.Mod(float64(n), *at.MultipleOf) == 0
		if n >= low && n <= high && objects.Within(at, float64(n)) && isMultiple && !slices.Contains(all, any(n)) {
			all = append(all, n)
		}
	}
	return all
}

// parsedAs returns a text as the schema's type; false if it is not of the type.
func parsedAs(at *spec.Schema, text string) (any, bool) {
	switch {
	case objects.IsIntOrString(at):
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
		return text, true
	case at.Type.Contains("integer"), at.Type.Contains("number"):
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil && objects.Within(at, float64(n))
	case at.Type.Contains("boolean"):
		b, err := strconv.ParseBool(text)
		return b, err == nil
	case len(at.Type) == 0 && len(at.OneOf) > 0: // an amount: a text or a number
		_, err := resource.ParseQuantity(text)
		return text, err == nil
	}
	return text, at.Type.Contains("string") && isOfFormat(at.Format, text)
}

func isOfFormat(format, text string) bool {
	switch format {
	case "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	case "byte":
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
	}
	return true
}
