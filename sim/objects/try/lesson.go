package try

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// lesson is what filling one object of a kind teaches about the others: they are filled at once with the values that the
// server took, and without what it did not take with any.
type lesson struct {
	values  map[string]any  // by field: the value that was taken
	refused map[string]bool // fields of which no value was taken
	stiff   map[string]bool // places whose value cannot be a livelier one
}

func newLesson() lesson {
	return lesson{map[string]any{}, map[string]bool{}, map[string]bool{}}
}

// isTaught reports whether there is anything in it.
func (l lesson) isTaught() bool { return len(l.values)+len(l.refused) > 0 }

// teacher is the target whose object is filled first of those of its kind.
type teacher struct {
	index  int           // of the target
	done   chan struct{} // closed when the lesson can be read
	lesson lesson
}

// teachersOf returns the teacher of each kind: the first target in the order of the targets, so that the
// objects depend on no chance.
func teachersOf(targets []Target) map[string]*teacher {
	all := map[string]*teacher{}
	for i, t := range targets {
		if key := t.kind(); t.Filled && all[key] == nil {
			all[key] = &teacher{index: i, done: make(chan struct{})}
		}
	}
	return all
}

// kind returns what targets have in common whose objects are filled with the same fields: the kind, and the part.
func (t Target) kind() string {
	return fmt.Sprint(t.APIVersion, " ", t.Kind, " ", strings.HasPrefix(t.Path, "."+term.StatusPart))
}

// inOrder returns the indices of targets, those of teachers first: nobody waits long for them.
func inOrder(targets []Target, teachers map[string]*teacher) (first []int) {
	var others []int
	for i, t := range targets {
		if by := teachers[t.kind()]; by != nil && by.index == i {
			first = append(first, i)
			continue
		}
		others = append(others, i)
	}
	return append(first, others...)
}

// fillTaught fills the specimen of the target with an index: as the teacher of its kind, or with what that has learnt.
func (e *exerciser) fillTaught(ctx context.Context, k *kind, s *Specimen, index int) (err error) {
	by := e.teachers[s.kind()]
	if by.index == index {
		by.lesson, err = fill(ctx, e, k, s, lesson{})
		return err
	}
	select {
	case <-by.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err = fill(ctx, e, k, s, by.lesson)
	return err
}

// ends tells the others of its kind that a target has taught what it can, if it is the teacher.
func (e *exerciser) ends(t Target, index int) {
	if by := e.teachers[t.kind()]; by != nil && by.index == index {
		close(by.done)
	}
}
