package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Servers tolerate a stored value that they would not create, as long as an update leaves it alone.
// What they compare may be more than the value: a rule of a struct is evaluated again when any of
// its fields changes. So a field beside the value is changed too, through both releases: where its
// own release refuses the change as well, the refusal says nothing of the difference.

// changesSibling reports whether a write changes a field beside the value.
func (p played) changesSibling(w write) bool {
	if !p.object.Target.Beside || !w.sendsValue() || len(p.object.Target.Change) > 0 {
		return false
	}
	return fmt.Sprint(w.Change.Fields) == fmt.Sprint(p.object.Target.Neighbour)
}

// ownChangesSibling reports whether the object's own release changes the field beside the value.
func (p played) ownChangesSibling() bool {
	for _, name := range p.evidence.of(p.object.Target.ID) {
		if slices.ContainsFunc(p.evidence.Copies[name].writes, func(w write) bool {
			return p.changesSibling(w) && w.ViaRole == p.object.Target.Release && w.code/100 == 2
		}) {
			return true
		}
	}
	return false
}

// ofSibling is the effect of a write of a field beside the value, by the effect that it has by itself.
// An object whose value stays, and that a release does not change beside it, is frozen. A release
// that objects to the changed field itself says nothing of the value.
func (p played) ofSibling(w write, is term.Effect) term.Effect {
	switch {
	case !p.ownChangesSibling():
		return term.Effect{}
	case is != term.Refused.Effect():
		return is
	case p.isItself(w):
		return term.Effect{}
	}
	return term.Frozen.Effect()
}

// isItself reports whether a server refuses the change that a write makes, whatever the value is beside it:
// all errors that the row may use are of the field that changes, or of the element of the list that does.
func (p played) isItself(w write) bool {
	a, _ := p.attribute(w.causes, w.message, true)
	return len(a.causes) > 0 && !slices.ContainsFunc(a.causes, func(c result.StatusCause) bool { return !p.isOfChange(c, w) })
}

// isOfChange reports whether an error is of a field that a write changes.
func (p played) isOfChange(c result.StatusCause, w write) bool {
	for at, to := range w.Change.Fields {
		changed := p.indexed(at)
		if list, is := to.([]any); is && IsChanged(c.Field, p.object.Specimen.Object, at, list) {
			return true
		}
		if IsOfField(c, changed) && !Within(p.indexed(p.object.ValuePath()), changed) {
			return true
		}
	}
	return false
}

// partlyFrozen returns cells in which an object is frozen in a part alone: what changes beside the value is
// refused, and a label is written through the same release.
func partlyFrozen(cells []Cell) []Cell {
	var accepted []string
	for _, c := range cells {
		if c.Outcome != term.Refused && term.Frozen.Effect().WorseThan(c.Effect) {
			accepted = append(accepted, c.Write)
		}
	}
	return inPart(cells, accepted)
}

// inPart returns cells in which what changes in a part of an object freezes the part alone, where writes of a
// label are among some.
func inPart(cells []Cell, some []string) []Cell {
	all := slices.Clone(cells)
	for i, c := range all {
		if c.Outcome == term.Frozen && IsInPart(c.Write, some) {
			all[i].Effect = term.PartlyFrozen.Effect()
		}
	}
	return all
}

// accepted returns the writes of the object that succeeded, whatever became of its values.
func (p played) accepted() (writes []string) {
	for _, name := range p.evidence.of(p.object.Target.ID) {
		for _, w := range p.evidence.Copies[name].writes {
			if w.code/100 == 2 {
				writes = append(writes, p.wordsOf(w))
			}
		}
	}
	return writes
}

// refusedForOthers returns the writes of the object that a release refuses for what is not of the row: the row's
// own difference would permit them.
func (p played) refusedForOthers() (writes []string) {
	for _, name := range p.evidence.of(p.object.Target.ID) {
		for _, w := range p.evidence.Copies[name].writes {
			if _, isOwn := p.attribute(w.causes, w.message, w.Birth || w.sendsValue()); w.refused() && !isOwn {
				writes = append(writes, p.wordsOf(w))
			}
		}
	}
	return writes
}

// wordsOf say what a write of a copy did.
func (p played) wordsOf(w write) string {
	if what := Beside; p.changesSibling(w) {
		if IsPart(p.object.Target.Neighbour, p.object.Specimen.Held) {
			what = LinePart
		}
		return strings.Replace(w.words(), w.object(), what, 1)
	}
	return w.words()
}
