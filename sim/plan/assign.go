package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Assignment is one value that a change sends; a nil Value removes the field.
type Assignment struct {
	Path  fieldpath.Path
	Value any
}

// Assignments returns the values of the step's change, in the order of their paths. A touch is
// unique to its step, because a write that changes nothing is not stored.
func (s Step) Assignments() ([]Assignment, error) {
	m := s.Change
	switch m.Kind {
	case Label:
		return parseAll(m.Names, func(string) any { return touchValue(s) })
	case Condition:
		return parseAll(m.Names, func(string) any { return condition(s) })
	case Scale:
		return parseAll(m.Names, func(string) any { return replicas(s) })
	case Nothing:
		return nil, nil
	case Fields:
		return parseAll(slices.Sorted(maps.Keys(m.Fields)), func(name string) any { return m.Fields[name] })
	}
	return nil, fmt.Errorf("%s: a %s change assigns nothing", s.Verb, m.Kind)
}

func parseAll(names []string, valueOf func(string) any) ([]Assignment, error) {
	var all []Assignment
	for _, name := range names {
		p, err := path.Parse(name)
		if err != nil {
			return nil, err
		}
		all = append(all, Assignment{p, valueOf(name)})
	}
	return all, nil
}

// Mark returns the text that a touch of the step writes, and no other step's touch.
func (s Step) Mark() string { return touchValue(s) }

func touchValue(step Step) string { return "step-" + strconv.Itoa(step.Number) }

// replicas returns a number that no other step scales to. Nothing runs the scaled workload, so
// any number is fine.
func replicas(step Step) int64 { return int64(step.Number) }

// condition returns a condition with every member that any kind of condition requires. Its time
// is constant, so that a run is repeatable.
func condition(step Step) map[string]any {
	return map[string]any{
		"type": TouchCondition, "status": "True", "reason": "Touched",
		"message": touchValue(step), "lastTransitionTime": "2000-01-01T00:00:00Z",
	}
}
