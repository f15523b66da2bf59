package search

import (
	"regexp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
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
	costOfAssign   = 0.25
	costOfLevel    = 0.03
	costOfRepeat   = 0.4
	worthOfFix     = 0.35
)

// maxOptions is how many ways one complaint is satisfied, and maxCauses how many of the
// complaints of one answer are given others than the likeliest way.
const (
	maxOptions = 26
	maxCauses  = 6
)

// complaint is one error of a refusal, with the place in the object that it means.
type complaint struct {
	metav1.StatusCause
	at      objects.Location
	schema  *spec.Schema
	words   words
	values  []string // that the words suggest
	forbids bool
	missing bool

	notFound bool
	oneOf    bool
}

// fixer finds the ways to satisfy one complaint about one object.
type fixer struct {
	*placer
	t *attempt
	c complaint
}

// oneOfMany finds the sentences by which servers say that members exclude each other.
var oneOfMany = regexp.MustCompile(`(?i)more than (1|one)|exactly one|only one|at most one|multiple|mutually exclusive|not both|both`)

// expand queues the objects that may satisfy a refusal.
func (s *Search) expand(refusal *metav1.Status) {
	t := *s.now
	complaints := s.complaints(refusal)
	blamed := map[string]bool{}
	for _, c := range complaints {
		key := string(c.Type) + c.Field + refusedValue.ReplaceAllString(c.Message, "")
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
	s.note(blamed)
	options := [][]option{}
	for _, c := range complaints {
		if all := (&fixer{s.placer, &t, c}).options(); len(all) > 0 {
			options = append(options, all)
		}
	}
	s.combine(&t, options)
	if len(options) == 0 {
		s.addValues(&t, costOfRepeat)
	}
}

// combine queues the object with the likeliest way for every complaint, and for each
// complaint the other ways.
func (s *Search) combine(t *attempt, options [][]option) {
	firsts := func() (all []option) {
		for _, o := range options {
			all = append(all, o[0])
		}
		return all
	}
	s.addChanged(t, firsts())
	for i, other := range options[:min(len(options), maxCauses)] {
		for j, o := range other {
			if j > 0 {
				chosen := firsts()
				chosen[i] = o
				s.addChanged(t, chosen)
			}
			if len(options) > 1 {
				s.addChanged(t, []option{{o.cost + costOfSibling, o.change}})
			}
		}
	}
}

// addChanged queues an attempt with the changes of options.
func (s *Search) addChanged(t *attempt, options []option) {
	cost, changes := 0.0, []change{}
	for _, o := range options {
		cost += o.cost
		changes = append(changes, o.change)
	}
	s.add(t.changed(cost, changes...))
}

// addValues queues the attempt with each other value of the target.
func (s *Search) addValues(t *attempt, cost float64) {
	for _, o := range (&fixer{placer: s.placer, t: t}).targetOptions() {
		s.add(t.changed(cost+o.cost, o.change))
	}
}

// complaints reads a refusal. One that has no causes is read from its message.
func (s *Search) complaints(refusal *metav1.Status) (all []complaint) {
	causes := objects.CausesOf(refusal)
	if len(causes) == 0 && refusal != nil {
		causes = s.causesInText(refusal.Message)
	}
	for _, cause := range causes {
		c := complaint{StatusCause: cause, words: wordsOf(cause.Message)}
		c.values = c.words.values(s.now.object)
		c.at = insideOf(s.now.object, objects.Locate(s.kind, s.now.object, cause), cause.Message)
		c.at = s.absentAt(c.at, cause.Field)
		c.schema, _ = s.kind.SchemaAt(s.now.object, c.at)
		c.forbids = cause.Type == "FieldValueForbidden" || cause.Type == metav1.CauseTypeFieldValueDuplicate || cause.Type == causeUnknown
		c.notFound, c.oneOf = cause.Type == metav1.CauseTypeFieldValueNotFound, oneOfMany.MatchString(cause.Message)
		c.missing = cause.Type == metav1.CauseTypeFieldValueRequired || objects.Missing.MatchString(cause.Message)
		all = append(all, c)
	}
	// Elements of lists are dropped from the end.
	slices.SortStableFunc(all, func(x, y complaint) int {
		if !x.forbids || !y.forbids {
			return 0
		}
		return objects.CompareLocations(y.at, x.at)
	})
	return all
}

// options returns the ways to satisfy one complaint, cheapest first.
func (f *fixer) options() (all []option) {
	_, there := objects.Get(f.t.object, f.c.at)
	there = there && len(f.c.at) > 0
	target := slices.Equal(f.c.at, f.t.at) && len(f.t.at) > 0
	switch {
	case f.c.missing:
		all = append(all, f.fill(there)...)
	case f.c.forbids && there && !f.t.onWay(f.c.at):
		all = append(all, option{f.costOfDrop(f.c.at), without(f.c.at)})
	}
	all = append(append(all, f.assignments()...), f.renames()...)
	if f.c.notFound {
		all = append(all, f.referred()...)
	}
	switch {
	case target || f.t.isWithinTarget(f.c.at) && len(f.t.at) > 0:
		all = append(all, f.inTarget(there)...)
	case f.t.onWay(f.c.at) || len(f.c.at) == 0:
		all = append(all, plus(f.targetOptions(), costOfSibling)...)
	case there:
		all = append(all, f.otherValues()...)
		if len(f.t.at) > 0 && hasPrefix(f.c.at, f.t.at[:len(f.t.at)-1]) {
			all = append(all, plus(f.targetOptions(), 2*costOfSibling)...)
		}
	}
	all = append(all, f.drops(there)...)
	slices.SortStableFunc(all, func(x, y option) int {
		switch {
		case x.cost < y.cost:
			return -1
		case x.cost > y.cost:
			return 1
		}
		return 0
	})
	return all[:min(len(all), maxOptions)]
}

func plus(all []option, cost float64) []option {
	for i := range all {
		all[i].cost += cost
	}
	return all
}

// costOfDrop is higher for what an example has.
func (f *fixer) costOfDrop(at objects.Location) float64 {
	if f.t.base >= 0 && !hasPrefix(at, f.t.made) {
		return costOfExampled
	}
	return 0
}

func hasPrefix(l, prefix objects.Location) bool {
	return len(prefix) > 0 && len(l) >= len(prefix) && slices.Equal(l[:len(prefix)], prefix)
}

// inTarget returns other values of the target, and of what is within it.
func (f *fixer) inTarget(there bool) (all []option) {
	if len(f.c.at) > len(f.t.at) && there {
		all = append(all, f.otherValues()...)
	}
	return append(all, f.targetOptions()...)
}

// targetOptions returns the target's other values: those that a message names first.
func (f *fixer) targetOptions() (all []option) {
	if len(f.t.at) == 0 || f.value != nil {
		return nil
	}
	schema, _ := f.kind.SchemaAt(f.t.object, f.t.at)
	if schema == nil {
		return nil
	}
	is, _ := objects.Get(f.t.object, f.t.at)
	values := f.suggested(schema, f.t.at, f.c.values)
	if f.like != nil {
		values = f.ofType(nameAt(f.t.at))
	}
	for i, v := range values {
		if objects.JSONText(v) != objects.JSONText(is) {
			all = append(all, option{costOfValue * float64(i), set(slices.Clone(f.t.at), v)})
		}
	}
	return all
}

// otherValues returns other values of a place that a server refused. A list or map may lack
// elements, and a struct one of its members.
func (f *fixer) otherValues() (all []option) {
	if f.c.schema == nil || f.t.onWay(f.c.at) || objects.IsIdentity(f.c.at) {
		return nil
	}
	is, _ := objects.Get(f.t.object, f.c.at)
	cost := f.costOfDrop(f.c.at)
	resolved, _ := f.definitions.Resolve(f.c.schema)
	if f.c.forbids || resolved != nil && !isScalarSchema(resolved) {
		cost += costOfSibling
	}
	for i, v := range f.suggested(f.c.schema, f.c.at, f.c.values) {
		if objects.JSONText(v) != objects.JSONText(is) {
			all = append(all, option{cost + costOfValue*float64(i), set(f.c.at, v)})
		}
	}
	return all
}
