package trace

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

func indexCalls(ev *Evidence) *Calls {
	c := &Calls{
		Alike: map[string][]int{}, FirstUse: map[string]int{}, Treated: map[string]bool{},
		References: map[string]int{}, Plain: map[string]int{}, Refusals: map[string]bool{}, TriesOn: map[string][]history.Operation{}, Probes: map[int][]history.Operation{}, Comparisons: map[int]history.Operation{},
	}
	for _, tl := range ev.Timelines {
		if tl.Copy.Role == term.Treated || holdsChange(ev, tl) {
			c.Treated[tl.Copy.Manifest] = true
		}
	}
	actOnReads(ev)
	c.Steps = slices.Sorted(maps.Keys(ev.Acts))
	c.Tries = lastTries(ev)
	for _, op := range c.Tries {
		c.TriesOn[op.Copy] = append(c.TriesOn[op.Copy], op)
	}
	for _, op := range ev.History.Operations {
		switch op.Purpose {
		case history.Probe:
			c.Probes[op.Step] = append(c.Probes[op.Step], op)
		case history.Bare:
			c.Comparisons[op.Step] = op
		}
	}
	for _, number := range c.Steps {
		noteUse(ev, c, number)
		indexCall(ev, c, number)
	}
	return c
}

// actOnReads makes a read the act of its step if its client could not decode the answer, or if
// the release no longer serves the kind: the write after it was not made.
func actOnReads(ev *Evidence) {
	for number, read := range ev.Reads {
		_, acted := ev.Acts[number]
		if tl := ev.ByCopy[read.Copy]; !acted && (OutcomeOf(read) == ruling.Misread || !read.Done() && tl != nil && (DoesNotServe(ev, read.Role, tl, number) || AsksUnservedVersion(ev, read.Role, tl, number))) {
			ev.Acts[number] = read
		}
	}
}

// indexCall indexes one call: the refusals that its line declares, and whether other calls can be
// compared with it.
func indexCall(ev *Evidence, c *Calls, number int) {
	at := ev.Steps[number]
	if at.Step.Verb.Deletes() && at.Step.Respond != nil {
		c.Refusals[RefusalKey(at.Step.Object, at.Step.Respond.Code)] = true
	}
	tl := ev.ByCopy[at.Step.Copy]
	if tl != nil && ev.HasPast(tl, number) {
		return // not a reference for other calls
	}
	if tl == nil && !at.Step.Verb.Lists() || tl != nil && UsesChangeAt(c, tl, number) || !ev.Acts[number].Done() {
		return
	}
	sign := at.Signature
	refer(ev, c, c.Plain, sign, number)
	if at.StageIndex == 0 {
		refer(ev, c, c.References, sign, number)
		c.Alike[sign] = append(c.Alike[sign], number)
	}
}

// TimelineOf returns the copy that a call is about; for a LIST, all copies of its object; nil if
// it is about none.
func TimelineOf(ev *Evidence, number int) *Timeline {
	step := ev.Steps[number].Step
	if tl := ev.ByCopy[step.Copy]; tl != nil || !step.Verb.Lists() {
		return tl
	}
	return ev.AllCopiesOf(step.Object)
}

// RefusalKey returns the key of a refusal that a line declares: its object and the code.
func RefusalKey(object string, code int) string { return fmt.Sprint(object, " ", code) }

// refer makes a call the reference of its signature, unless there is a better one.
func refer(ev *Evidence, c *Calls, to map[string]int, sign string, number int) {
	control := func(number int) bool {
		tl := ev.ByCopy[ev.Steps[number].Step.Copy]
		return tl != nil && tl.Copy.Role == term.Control
	}
	if known, is := to[sign]; !is || !control(known) && control(number) {
		to[sign] = number
	}
}

// holdsChange reports whether the copy's manifest has a value whose field the new release
// publishes and the old one does not.
func holdsChange(ev *Evidence, tl *Timeline) bool {
	if tl.Copy.Role != term.Untouched {
		return false
	}
	for _, leaf := range LeavesIn(tl.Kind, tl.Manifest.Body) {
		if ev.IsChange(tl, leaf.Path) {
			return true
		}
	}
	return false
}

// UsesChange reports whether the copy uses the change.
func UsesChange(c *Calls, tl *Timeline) bool {
	switch tl.Copy.Role {
	case term.Treated:
		return true
	case term.Untouched:
		return c.Treated[tl.Copy.Manifest]
	}
	return false
}

// ValueIsOfChange reports whether the copy's value at a path is the change in use. An untouched
// copy may have either form, so the value itself decides.
func ValueIsOfChange(ev *Evidence, tl *Timeline, p fieldpath.Path) bool {
	return (UsesChange(ev.Calls, tl) || tl.Copy.Role == term.Untouched || ev.Calls.FirstUse[tl.Copy.Name] > 0) && (ev.IsChange(tl, p) || isNullOfChange(ev, tl, p))
}

// isNullOfChange reports whether a client sent a null at a path that only the new release declares as a
// value: both have the field, and the null is what the change adds.
func isNullOfChange(ev *Evidence, tl *Timeline, p fieldpath.Path) bool {
	return slices.ContainsFunc(tl.AckedValues, func(acked *AckedValue) bool {
		leaf := acked.Leaf
		return leaf.Semantic == schema.Null && leaf.Path.Equals(p) && ev.Keeps(term.New, tl, leaf) && !ev.Keeps(term.Old, tl, leaf)
	})
}

// ExistsFor reports whether the copy existed when a step called it, so that the call could
// succeed. A creation and a LIST do not need an existing copy.
func ExistsFor(ev *Evidence, tl *Timeline, step plan.Step) bool {
	return step.CreatesCopy() || step.Verb.Lists() || !tl.IsGone(step.Number-1)
}

// PlannedSteps returns the numbers of the steps that call a copy or LIST an object, in order.
func PlannedSteps(ev *Evidence) []int {
	var all []int
	for number, at := range ev.Steps {
		if at.Step.Action == plan.Operate && (at.Step.Copy != "" || at.Step.Verb.Lists()) {
			all = append(all, number)
		}
	}
	slices.Sort(all)
	return all
}
