package evidence

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

func indexCalls(tr *trace.Trace) *trace.Calls {
	c := &trace.Calls{
		Alike: map[string][]int{}, Begun: map[string]int{}, Lives: map[string]*trace.Timeline{}, Treated: map[string]bool{},
		Shapes: map[term.Role]map[string]bool{}, Before: map[string]int{}, Plain: map[string]int{}, Refusals: map[string]bool{}, Probes: map[int][]history.Operation{}, Bare: map[int]history.Operation{}, Told: map[string][]fieldpath.Path{},
	}
	for _, tl := range tr.ByCopy {
		c.Lives[tl.Copy.Name] = tl
		if tl.Copy.Role == term.Treated || holdsChange(tr, tl) {
			c.Treated[tl.Copy.Manifest] = true
		}
	}
	actOnReads(tr, c.Lives)
	c.Steps = slices.Sorted(maps.Keys(tr.Acts))
	c.Tries = lastTries(tr, c.Lives)
	for _, op := range tr.History.Operations {
		switch op.Purpose {
		case history.Probe:
			c.Probes[op.Step] = append(c.Probes[op.Step], op)
		case history.Bare:
			c.Bare[op.Step] = op
		}
	}
	for _, number := range c.Steps {
		noteUse(tr, c, number)
		indexCall(tr, c, number)
	}
	return c
}

// actOnReads makes a read the act of its step where its client could not decode
// the answer, or where the release no longer serves the kind at all: the write
// that was to follow was not made.
func actOnReads(tr *trace.Trace, lives map[string]*trace.Timeline) {
	for number, read := range tr.Reads {
		_, acted := tr.Acts[number]
		if tl := lives[read.Copy]; !acted && (trace.OutcomeOf(read) == trace.Misread || !read.Done() && tl != nil && (Unserved(tr, read.Role, tl, number) || Misled(tr, read.Role, tl, number))) {
			tr.Acts[number] = read
		}
	}
}

// indexCall takes in one call: the refusals that its line declares, and whether
// others can be held against it.
func indexCall(tr *trace.Trace, c *trace.Calls, number int) {
	at := tr.Steps[number]
	if at.Step.Verb.Deletes() && at.Step.Respond != nil {
		c.Refusals[Declared(at.Step.Object, at.Step.Respond.Code)] = true
	}
	tl := c.Lives[at.Step.Copy]
	if tl != nil && tr.HadPast(tl, number) {
		return // it is no measure for others
	}
	if tl == nil && at.Step.Verb != term.ListAll || tl != nil && UsesIn(c, tl, number) || !tr.Acts[number].Done() {
		return
	}
	sign := at.Sign
	refer(tr, c, c.Plain, sign, number)
	if at.Index == 0 {
		refer(tr, c, c.Before, sign, number)
		c.Alike[sign] = append(c.Alike[sign], number)
	}
}

// LifeOf is the copy that a call is about; of a LIST, all copies of its object.
// Nil: it is about none.
func LifeOf(tr *trace.Trace, number int) *trace.Timeline {
	step := tr.Steps[number].Step
	if tl := tr.Calls.Lives[step.Copy]; tl != nil || step.Verb != term.ListAll {
		return tl
	}
	return tr.Whole(step.Object)
}

// Declared is the key of a refusal that a line declares: its object and the code.
func Declared(object string, code int) string { return fmt.Sprint(object, " ", code) }

// refer makes a call the reference of its signature, unless a better one is.
func refer(tr *trace.Trace, c *trace.Calls, to map[string]int, sign string, number int) {
	control := func(number int) bool {
		tl := c.Lives[tr.Steps[number].Step.Copy]
		return tl != nil && tl.Copy.Role == term.Control
	}
	if known, is := to[sign]; !is || !control(known) && control(number) {
		to[sign] = number
	}
}

// holdsChange tells whether the copy's manifest has a value for which the old
// release publishes no place, and the new one does.
func holdsChange(tr *trace.Trace, tl *trace.Timeline) bool {
	if tl.Copy.Role != term.Untouched {
		return false
	}
	for _, leaf := range trace.LeavesIn(tl.Kind, tl.Manifest.Body) {
		if IsChange(tr, tl, leaf.Path) {
			return true
		}
	}
	return false
}

// IsChange tells whether the path is part of the change: the new release
// publishes it, or would if its manifests had been applied, and the old one does not.
func IsChange(tr *trace.Trace, tl *trace.Timeline, p fieldpath.Path) bool {
	return tr.TypesDeclare(term.New, tl, p) && !tr.Declares(term.Old, tl, p)
}

// Uses tells whether the copy uses the change.
func Uses(c *trace.Calls, tl *trace.Timeline) bool {
	switch tl.Copy.Role {
	case term.Treated:
		return true
	case term.Untouched:
		return c.Treated[tl.Copy.Manifest]
	}
	return false
}

// UsesAt tells whether the copy's value at a path is the change in use. Of an
// untouched copy, which is of any form, the value itself says so.
func UsesAt(tr *trace.Trace, tl *trace.Timeline, p fieldpath.Path) bool {
	return (Uses(tr.Calls, tl) || tl.Copy.Role == term.Untouched || tr.Calls.Begun[tl.Copy.Name] > 0) && IsChange(tr, tl, p)
}

// ClassOf is the class of a finding about the copy as a whole, in a step: what
// uses the change is impacted by it, and nothing else may be.
func ClassOf(c *trace.Calls, tl *trace.Timeline, number int) term.Class {
	if UsesIn(c, tl, number) {
		return term.Impact
	}
	return term.Violation
}

// There tells whether the copy existed when a step called it, so that the call
// could succeed. A birth, and a LIST, need nothing to be there.
func There(tr *trace.Trace, tl *trace.Timeline, step plan.Step) bool {
	return Born(step) || step.Verb == term.ListAll || !tl.Gone(step.Number-1)
}

// Remember keeps what is told of values, so that no other check tells it again.
func Remember(c *trace.Calls, all ...[]result.Finding) {
	for _, f := range slices.Concat(all...) {
		if p, err := path.Parse(f.Path); err == nil && f.Path != "" {
			c.Told[f.Copy] = append(c.Told[f.Copy], p)
		}
	}
}

// IsTold tells whether another check told of the value, or of what holds it.
func IsTold(c *trace.Calls, tl *trace.Timeline, p fieldpath.Path) bool {
	return slices.ContainsFunc(c.Told[tl.Copy.Name], func(told fieldpath.Path) bool {
		return path.Contains(told, p) || path.Contains(p, told)
	})
}

// Planned are the numbers of the steps that ask something of a copy, or LIST
// them, in order.
func Planned(tr *trace.Trace) []int {
	var all []int
	for number, at := range tr.Steps {
		if at.Step.Action == plan.Operate && (at.Step.Copy != "" || at.Step.Verb == term.ListAll) {
			all = append(all, number)
		}
	}
	slices.Sort(all)
	return all
}

// Born tells whether the step is to bring its copy into being.
func Born(s plan.Step) bool { return s.Birth || s.Verb == term.Create }
