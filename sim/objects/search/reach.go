package search

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/path"

	"github.com/skewsim/skewsim/sim/objects"
)

// elements is the step of a path to an element of a list, or an entry of a map.
const elements = "[]"

// stepsOf splits a field as Kind.Fields names it; false: it is no such name.
func stepsOf(field string) (steps []string, ok bool) {
	for i, part := range strings.Split(field, elements) {
		if i > 0 {
			steps = append(steps, elements)
		}
		if part == "" {
			continue
		}
		p, err := path.Parse(part)
		if err != nil {
			return nil, false
		}
		for _, e := range p {
			if e.FieldName == nil {
				return nil, false
			}
			steps = append(steps, *e.FieldName)
		}
	}
	return steps, true
}

// placer puts a value at the target's path, and makes the containers on the way.
type placer struct {
	kind        objects.Kind
	definitions schemas
	steps       []string
	value       any
	like        any // of whose type the value is; nil: of any
	hints       []objects.Hint
	pool        *Pool
}

// ofField returns the definitions as the release publishes them, and the schema that it publishes of the
// field; nil: the field has none.
func (p *placer) ofField() (schemas, *spec.Schema) {
	wide := p.kind.Wide()
	definitions, at := schemas{wide.Definitions(), p.definitions.room}, wide.Root()
	for _, step := range p.steps {
		resolved, _ := definitions.Resolve(orEmpty(at))
		switch {
		case resolved == nil:
			return definitions, nil
		case step == elements && resolved.Items != nil:
			at = resolved.Items.Schema
		case step == elements && resolved.AdditionalProperties != nil:
			at = resolved.AdditionalProperties.Schema
		default:
			at = definitions.Member(resolved, step)
		}
	}
	return definitions, at
}

// typed returns the value of an enum that a text spells, where the field is of no text.
func (p *placer) typed(text string) (any, bool) {
	definitions, at := p.ofField()
	resolved, _ := definitions.Resolve(orEmpty(at))
	if resolved == nil {
		return nil, false
	}
	i := slices.IndexFunc(resolved.Enum, func(v any) bool { return objects.JSONText(v) == text })
	if i < 0 {
		return nil, false
	}
	return objects.PlainJSON(resolved.Enum[i]), true
}

// Starting from no example, adding an element beside those of an example, and dropping the
// example's own elements cost more than one repair: another value is more often what a server
// asks for.
const (
	costOfDepth   = 0.05
	costOfExample = 0.9
	costOfFresh   = 0.6
	costOfNoBase  = 0.8
)

// starts returns the first attempts, from each example and from required members alone.
func (p *placer) starts(r Request) (all []*attempt) {
	bases := []map[string]any{}
	for _, h := range r.Hints {
		if h.Object != nil {
			bases = append(bases, h.Object)
		}
	}
	hinted := len(bases)
	bases = append(bases, r.Examples...)
	for i, base := range append(bases, p.required()) {
		if i == len(bases) && r.OnlyExamples {
			break
		}
		cost := costOfExample * float64(i)
		from := i
		if i == len(bases) {
			from, cost = -1, costOfNoBase+costOfExample*float64(max(0, i-1))
		}
		for fresh := range 1 + p.lists() {
			t := p.start(base, fresh-1)
			if t == nil {
				continue
			}
			t.base, t.hinted, t.cost = from, i < hinted, cost+costOfFresh*float64(fresh)
			all = append(all, t)
		}
	}
	return all
}

// required returns the object with required members alone.
func (p *placer) required() map[string]any {
	made, _ := p.definitions.least(p.kind.Root(), "", 0).(map[string]any)
	if made == nil || p.definitions.room.left < 0 { // no object has room for what is required
		made = map[string]any{}
	}
	delete(made, "metadata")
	for _, name := range p.kind.Subresources {
		delete(made, name)
	}
	return made
}

// lists returns how many lists and maps are on the way to the target.
func (p *placer) lists() (n int) {
	for _, step := range p.steps {
		if step == elements {
			n++
		}
	}
	return n
}

// start returns the attempt that lays the target over an object; nil if it cannot. The list
// with the number fresh on the way gets an element of its own.
func (p *placer) start(base map[string]any, fresh int) *attempt {
	object := objects.Copy(base)
	object["apiVersion"], object["kind"] = p.kind.APIVersion, p.kind.Name
	t := &attempt{object: object}
	if members, is := p.value.(map[string]any); len(p.steps) == 0 && is && len(members) > 0 { // of the whole object
		maps.Copy(object, objects.Copy(members))
		t.at = objects.Location{slices.Min(slices.Collect(maps.Keys(members)))}
		t.made = t.at
	}
	if len(p.steps) == 0 {
		return t
	}
	at := p.kind.Root()
	way := &way{placer: p, fresh: fresh}
	made, l, ok := way.place(at, object, p.steps, "")
	if !ok {
		return nil
	}
	t.object, t.at = made.(map[string]any), l
	for n := 1; n <= len(l); n++ {
		if _, has := objects.Get(base, l[:n]); !has {
			t.made = l[:n]
			break
		}
	}
	return t
}

// way is one placement of the target in an object.
type way struct {
	*placer
	fresh, lists int
}

// place returns a container with the target in it, and where.
func (w *way) place(at *spec.Schema, node any, steps []string, name string) (any, objects.Location, bool) {
	if len(steps) == 0 {
		values := w.valuesOf(at, node, name)
		if len(values) == 0 {
			return nil, nil, false
		}
		return copyValue(values[0]), nil, true
	}
	at, _ = w.definitions.Resolve(at)
	switch {
	case at == nil:
		return nil, nil, false
	case at.Items != nil && at.Items.Schema != nil:
		return w.inList(at, node, steps, name)
	case len(at.Properties) == 0 && at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		return w.inMap(at, node, steps, name)
	}
	property, has := at.Properties[steps[0]]
	if !has {
		return nil, nil, false
	}
	fields, is := node.(map[string]any)
	if !is {
		fields, _ = w.definitions.least(at, name, 0).(map[string]any)
	}
	if fields == nil {
		fields = map[string]any{}
	}
	child, l, ok := w.place(&property, fields[steps[0]], steps[1:], steps[0])
	fields[steps[0]] = child
	return fields, append(objects.Location{steps[0]}, l...), ok
}

func (w *way) inList(at *spec.Schema, node any, steps []string, name string) (any, objects.Location, bool) {
	if steps[0] != elements {
		return nil, nil, false
	}
	list, _ := node.([]any)
	number := w.lists
	w.lists++
	i := w.elementWith(list, steps[1:])
	if i < 0 || number == w.fresh {
		i = len(list)
		list = append(slices.Clone(list), w.definitions.distinct(at, list, name))
	}
	child, l, ok := w.place(at.Items.Schema, list[i], steps[1:], name)
	list[i] = child
	return list, append(objects.Location{strconv.Itoa(i)}, l...), ok
}

// elementWith returns the index of the element that has most of the way to the target; -1
// for an empty list.
func (w *way) elementWith(list []any, steps []string) int {
	best, most := -1, -1
	for i, element := range list {
		n := 0
		for node := element; n < len(steps); n++ {
			fields, is := node.(map[string]any)
			if !is || steps[n] == elements || fields[steps[n]] == nil {
				break
			}
			node = fields[steps[n]]
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

func (w *way) inMap(at *spec.Schema, node any, steps []string, name string) (any, objects.Location, bool) {
	entries, _ := node.(map[string]any)
	if entries == nil {
		entries = map[string]any{}
	}
	key := steps[0]
	if key == elements {
		number := w.lists
		w.lists++
		key = unusedKey(entries)
		if keys := slices.Sorted(maps.Keys(entries)); len(keys) > 0 && number != w.fresh {
			key = keys[0]
		}
	}
	child, l, ok := w.place(at.AdditionalProperties.Schema, entries[key], steps[1:], name)
	entries[key] = child
	return entries, append(objects.Location{key}, l...), ok
}

func unusedKey(entries map[string]any) string {
	key := PlainWord
	for n := 2; ; n++ {
		if _, used := entries[key]; !used {
			return key
		}
		key = fmt.Sprintf("%s-%d", PlainWord, n)
	}
}

// valuesOf returns the values for the target: the one that is asked for, those of hints, that
// of the example, and those of the schema.
func (p *placer) valuesOf(at *spec.Schema, is any, name string) (all []any) {
	switch {
	case p.value != nil:
		return []any{p.value}
	case p.like != nil:
		return p.ofType(name)
	}
	for _, h := range p.hints {
		if h.Value != nil {
			all = append(all, h.Value)
		}
	}
	resolved, _ := p.definitions.Resolve(at)
	if resolved != nil && is != nil && !objects.IsEmpty(is) && !isAbsent(resolved, is) {
		all = append(all, is)
	}
	return append(all, p.definitions.candidates(at, name, 0)...)
}

// ofType returns values of the type that is asked for, as the release permits them, whatever other releases do.
// The last one is the example of the type.
func (p *placer) ofType(name string) []any {
	definitions, at := p.ofField()
	all := definitions.candidates(orEmpty(at), name, 0)
	all = slices.DeleteFunc(all, func(v any) bool { return reflect.TypeOf(v) != reflect.TypeOf(p.like) })
	return append(all, p.like)
}

// isElement reports whether a place is an element of a list.
func isElement(object map[string]any, at objects.Location) bool {
	container, _ := objects.Get(object, at[:len(at)-1])
	_, is := container.([]any)
	return is
}

// movedUp returns a location after an element was dropped from a list.
func movedUp(l, dropped objects.Location) objects.Location {
	n := len(dropped) - 1
	if len(l) <= n || !slices.Equal(l[:n], dropped[:n]) {
		return l
	}
	is, errIs := strconv.Atoi(l[n])
	was, errWas := strconv.Atoi(dropped[n])
	if errIs != nil || errWas != nil || is < was {
		return l
	}
	moved := slices.Clone(l)
	moved[n] = strconv.Itoa(is - 1)
	return moved
}

// copyValue returns a deep copy of a JSON value.
func copyValue(v any) any {
	return objects.Copy(map[string]any{"": v})[""]
}
