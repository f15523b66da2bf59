package generate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// option is one way to satisfy a complaint of a server.
type option struct {
	cost   float64
	change change
}

// The costs of options. A value that the message itself names is tried first; what an example
// has is dropped late; each further value of the same kind is a little less likely.
const (
	costOfValue    = 0.06
	costOfSibling  = 0.15
	costOfExampled = 0.3
	costOfAssign   = 0.1
	costOfRepeat   = 0.4
	worthOfFix     = 0.35
)

// mostOptions is how many ways one complaint is satisfied, and mostCauses how many of the
// complaints of one answer are given others than the likeliest way.
const (
	mostOptions = 26
	mostCauses  = 6
)

// complaint is one error of a refusal, with the place in the object that it means.
type complaint struct {
	metav1.StatusCause
	at      Location
	schema  *spec.Schema
	words   words
	forbids bool
	missing bool
}

// expand queues the objects that may satisfy a refusal.
func (a *Aim) expand(refusal *metav1.Status) {
	t := *a.now
	complaints := a.complaints(refusal)
	blamed := map[string]bool{}
	for _, c := range complaints {
		key := string(c.Type) + c.Field
		blamed[key] = true
		if t.blamed[key] {
			t.cost += costOfRepeat / float64(len(complaints))
		}
	}
	for key := range t.blamed {
		if !blamed[key] {
			t.cost -= worthOfFix / float64(len(t.blamed))
		}
	}
	t.blamed = blamed
	options := [][]option{}
	for _, c := range complaints {
		if all := a.options(&t, c); len(all) > 0 {
			options = append(options, all)
		}
	}
	a.combine(&t, options)
	if len(options) == 0 {
		a.addValues(&t, nil, costOfRepeat)
	}
}

// combine queues the object with the likeliest way for every complaint, and for each
// complaint the other ways.
func (a *Aim) combine(t *attempt, options [][]option) {
	firsts := func() (all []option) {
		for _, o := range options {
			all = append(all, o[0])
		}
		return all
	}
	a.addChanged(t, firsts())
	for i, other := range options[:min(len(options), mostCauses)] {
		for j, o := range other {
			if j > 0 {
				chosen := firsts()
				chosen[i] = o
				a.addChanged(t, chosen)
			}
			if len(options) > 1 {
				a.addChanged(t, []option{{o.cost + costOfSibling, o.change}})
			}
		}
	}
}

// addChanged queues an attempt with the changes of options. Drops of elements come last, and
// from the end of a list.
func (a *Aim) addChanged(t *attempt, options []option) {
	next := t.changed(0)
	made := false
	for _, o := range options {
		if o.change(next) {
			made = true
			next.cost += o.cost
		}
	}
	if made {
		a.add(next)
	}
}

// addValues queues the attempt with each other value of the target.
func (a *Aim) addValues(t *attempt, w words, cost float64) {
	for _, o := range a.targetOptions(t, w) {
		if next := t.changed(cost+o.cost, o.change); next != nil {
			a.add(next)
		}
	}
}

// complaints reads a refusal. One that has no causes is read from its message.
func (a *Aim) complaints(refusal *metav1.Status) (all []complaint) {
	causes := causesOf(refusal)
	if len(causes) == 0 && refusal != nil {
		causes = a.causesInText(refusal.Message)
	}
	for _, cause := range causes {
		c := complaint{StatusCause: cause, words: wordsOf(cause.Message)}
		c.at = locateIn(a.kind, a.now.object, cause)
		c.schema, _ = a.kind.schemaAt(a.now.object, c.at)
		c.forbids = cause.Type == "FieldValueForbidden" || cause.Type == metav1.CauseTypeFieldValueDuplicate || cause.Type == causeUnknown
		c.missing = cause.Type == metav1.CauseTypeFieldValueRequired || missing.MatchString(cause.Message)
		all = append(all, c)
	}
	// Elements of lists are dropped from the end.
	slices.SortStableFunc(all, func(x, y complaint) int {
		if !x.forbids || !y.forbids {
			return 0
		}
		return compareLocations(y.at, x.at)
	})
	return all
}

// options returns the ways to satisfy one complaint, cheapest first.
func (a *Aim) options(t *attempt, c complaint) (all []option) {
	_, there := get(t.object, c.at)
	there = there && len(c.at) > 0
	target := slices.Equal(c.at, t.at) && len(t.at) > 0
	switch {
	case c.missing:
		all = append(all, a.fill(t, c, there)...)
	case c.forbids && there && !t.onWay(c.at):
		all = append(all, option{a.costOfDrop(t, c.at), without(c.at)})
	}
	all = append(all, a.assignments(t, c)...)
	switch {
	case target || t.isWithinTarget(c.at) && len(t.at) > 0:
		all = append(all, a.inTarget(t, c, there)...)
	case t.onWay(c.at) || len(c.at) == 0:
		all = append(all, plus(a.targetOptions(t, c.words), costOfSibling)...)
	case there:
		all = append(all, a.otherValues(t, c)...)
	}
	all = append(all, a.drops(t, c, there)...)
	slices.SortStableFunc(all, func(x, y option) int {
		switch {
		case x.cost < y.cost:
			return -1
		case x.cost > y.cost:
			return 1
		}
		return 0
	})
	return all[:min(len(all), mostOptions)]
}

func plus(all []option, cost float64) []option {
	for i := range all {
		all[i].cost += cost
	}
	return all
}

// costOfDrop is higher for what an example has.
func (a *Aim) costOfDrop(t *attempt, at Location) float64 {
	if t.base >= 0 && !hasPrefix(at, t.made) {
		return costOfExampled
	}
	return 0
}

func hasPrefix(l, prefix Location) bool {
	return len(prefix) > 0 && len(l) >= len(prefix) && slices.Equal(l[:len(prefix)], prefix)
}

// inTarget returns other values of the target, and of what is within it.
func (a *Aim) inTarget(t *attempt, c complaint, there bool) (all []option) {
	if len(c.at) > len(t.at) && there {
		all = append(all, a.otherValues(t, c)...)
	}
	return append(all, a.targetOptions(t, c.words)...)
}

// targetOptions returns the target's other values: those that a message names first.
func (a *Aim) targetOptions(t *attempt, w words) (all []option) {
	if len(t.at) == 0 || a.value != nil {
		return nil
	}
	schema, _ := a.kind.schemaAt(t.object, t.at)
	if schema == nil {
		return nil
	}
	is, _ := get(t.object, t.at)
	for i, v := range a.suggested(t, schema, t.at, w) {
		if jsonText(v) != jsonText(is) {
			all = append(all, option{costOfValue * float64(i), set(slices.Clone(t.at), v)})
		}
	}
	return all
}

// suggested returns values for a place: those that a message names, those that other members
// of the same name have, and those of the schema.
func (a *Aim) suggested(t *attempt, schema *spec.Schema, at Location, w words) (all []any) {
	name := nameAt(at)
	resolved, _ := a.definitions.resolve(schema)
	if resolved == nil {
		return nil
	}
	seen := map[string]bool{}
	add := func(v any) {
		if text := jsonText(v); v != nil && !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	if isScalarSchema(resolved) {
		for _, text := range w.values(t.object) {
			if v, ok := parsedAs(resolved, text); ok && (len(resolved.Enum) == 0 || slices.Contains(resolved.Enum, v)) {
				add(v)
			}
		}
	}
	candidates := a.definitions.candidates(schema, name, 0)
	for i, v := range candidates {
		if i == 1 && isScalarSchema(resolved) {
			for _, echo := range echoes(t.object, at) {
				if v, ok := parsedAs(resolved, echo); ok {
					add(v)
				}
			}
		}
		add(v)
	}
	return all
}

// nameAt returns the last name of a location.
func nameAt(at Location) string {
	for i := len(at) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(at[i]); err != nil {
			return at[i]
		}
	}
	return ""
}

func isScalarSchema(at *spec.Schema) bool {
	return len(at.Properties) == 0 && at.Items == nil && at.AdditionalProperties == nil && !isOpen(at)
}

// echoes returns the texts of members elsewhere in the object with the same name: a reference
// has the name of what it refers to.
func echoes(object map[string]any, at Location) (all []string) {
	name := nameAt(at)
	for _, other := range Locations(object) {
		same := nameAt(other) == name || strings.HasSuffix(strings.ToLower(name), "name") && nameAt(other) == "name"
		if v, _ := get(object, other); same && !slices.Equal(other, at) {
			if text, is := scalarText(v); is && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all[:min(len(all), 4)]
}

func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64, bool:
		return jsonText(v), true
	}
	return "", false
}

// otherValues returns other values of a place that a server refused. A list or map may lack
// elements, and a struct one of its members.
func (a *Aim) otherValues(t *attempt, c complaint) (all []option) {
	if c.schema == nil || t.onWay(c.at) || isIdentity(c.at) {
		return nil
	}
	is, _ := get(t.object, c.at)
	cost := a.costOfDrop(t, c.at)
	resolved, _ := a.definitions.resolve(c.schema)
	if c.forbids || resolved != nil && !isScalarSchema(resolved) {
		cost += costOfSibling
	}
	for i, v := range a.suggested(t, c.schema, c.at, c.words) {
		if jsonText(v) != jsonText(is) {
			all = append(all, option{cost + costOfValue*float64(i), set(c.at, v)})
		}
	}
	return all
}

// fill returns the ways to add what is missing at a place: the place itself, or one of its
// members.
func (a *Aim) fill(t *attempt, c complaint, there bool) (all []option) {
	if !there {
		return a.fillAbsent(t, c)
	}
	is, _ := get(t.object, c.at)
	resolved, _ := a.definitions.resolve(orEmpty(c.schema))
	switch v := is.(type) {
	case map[string]any:
		if resolved == nil || len(resolved.Properties) == 0 {
			break
		}
		names := slices.DeleteFunc(a.definitions.optional(resolved), func(name string) bool { return v[name] != nil })
		slices.SortStableFunc(names, func(x, y string) int { return order(!c.words.mentions(x)) - order(!c.words.mentions(y)) })
		for i, name := range names {
			all = append(all, a.fillMember(t, c.at, resolved, name, costOfValue*float64(i))...)
		}
		return all
	}
	if c.schema == nil {
		return nil
	}
	if !t.onWay(c.at) {
		all = append(all, option{0, set(c.at, a.definitions.filled(c.schema, nameAt(c.at), 0))})
	}
	return append(all, a.otherValues(t, c)...)
}

func orEmpty(s *spec.Schema) *spec.Schema {
	if s == nil {
		return &spec.Schema{}
	}
	return s
}

func (a *Aim) fillMember(t *attempt, at Location, schema *spec.Schema, name string, cost float64) (all []option) {
	property := schema.Properties[name]
	for i, v := range a.suggested(t, &property, at.with(name), nil) {
		if i < 3 && !isEmpty(v) {
			all = append(all, option{cost + costOfSibling*float64(i), set(at.with(name), v)})
		}
	}
	return all
}

// fillAbsent adds the place that is missing, and the containers on the way.
func (a *Aim) fillAbsent(t *attempt, c complaint) (all []option) {
	has := len(known(t.object, c.at))
	if has == len(c.at) {
		return nil
	}
	first := c.at[:has+1]
	schema, _ := a.kind.schemaAt(t.object, first)
	if schema == nil {
		return nil
	}
	if has+1 < len(c.at) { // the least value of the container, and in it the member
		changes := func(u *attempt) bool {
			for n := has + 1; n <= len(c.at); n++ {
				if _, is := get(u.object, c.at[:n]); is {
					continue
				}
				s, _ := a.kind.schemaAt(u.object, c.at[:n])
				if s == nil || !set(c.at[:n], a.definitions.filled(s, nameAt(c.at[:n]), 0))(u) {
					return false
				}
			}
			return true
		}
		return []option{{0, changes}}
	}
	v := a.definitions.filled(schema, nameAt(first), 0)
	all = append(all, option{0, set(first, v)})
	for i, v := range a.suggested(t, schema, first, c.words) {
		all = append(all, option{costOfValue * float64(i+1), set(first, v)})
	}
	return all
}

// drops returns what can be dropped to satisfy a complaint: the place, if the target does not
// need it; siblings of the way to the target; the containers of the place.
func (a *Aim) drops(t *attempt, c complaint, there bool) (all []option) {
	cost := costOfSibling
	if c.missing {
		cost = 3 * costOfSibling
	}
	for at := known(t.object, c.at); len(at) > 1; at = at[:len(at)-1] {
		if _, required := a.kind.schemaAt(t.object, at); !required && !t.onWay(at) {
			all = append(all, option{cost + a.costOfDrop(t, at), without(at)})
		}
		cost += costOfSibling
	}
	return append(all, a.siblings(t, c)...)
}

// siblings drops members beside the way to the target, the deepest first: all but one member
// of a union.
func (a *Aim) siblings(t *attempt, c complaint) (all []option) {
	if len(t.at) == 0 || !t.onWay(known(t.object, c.at)) && !t.onWay(c.at[:max(0, len(c.at)-1)]) && len(c.at) > 0 {
		return nil
	}
	base := costOfSibling
	if c.forbids {
		base = 0
	}
	level := 0
	for n := len(t.at) - 1; n >= 1 && level < 3; n-- {
		container, _ := get(t.object, t.at[:n])
		fields, is := container.(map[string]any)
		if !is {
			continue
		}
		level++
		together := []change{}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			at := t.at[:n].with(name)
			if _, required := a.kind.schemaAt(t.object, at); required || name == t.at[n] {
				continue
			}
			cost := base + costOfSibling*float64(level-1) + order2(!c.words.mentions(name), costOfSibling)
			all = append(all, option{cost, without(at)})
			if nameAt(at) != "name" {
				together = append(together, without(at))
			}
		}
		if len(together) > 1 {
			all = append(all, option{base + costOfSibling*float64(level), every(together)})
		}
	}
	return all
}

func order2(yes bool, cost float64) float64 {
	if yes {
		return cost
	}
	return 0
}

// every makes all changes that can be made.
func every(all []change) change {
	return func(t *attempt) bool {
		made := false
		for _, change := range all {
			made = change(t) || made
		}
		return made
	}
}
