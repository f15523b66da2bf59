package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// calls is the run's calls put in order, so that each can be held against the
// same call as it went before anything changed.
type calls struct {
	steps []int            // of the acts, in order
	lives map[string]*life // by copy
	// treated are the manifests that use the change.
	treated map[string]bool
	begun   map[string]int // by copy: the first step that sent it a value of the change
	// before are, by signature, the calls of the first stage that succeeded on a
	// copy which does not use the change, plain those of any stage: of each the
	// first on a control copy or, where there is none, the first.
	before, plain map[string]int
	alike         map[string][]int            // by signature: all calls of the first stage that before is one of
	invalid       map[string]int              // by signature: calls of the first stage that were refused as invalid
	refusals      map[string]bool             // of deletes, that lines declare
	probes        map[int][]history.Operation // by step
	bare          map[int]history.Operation   // by step: creates without what the step was to remove
	tries         []history.Operation
	told          map[string][]fieldpath.Path // by copy: values that another check told of
	// shapes are, by release, those of the values that it was seen to read.
	shapes map[term.Role]map[string]bool
	derived
}

func (e *evidence) indexCalls() *calls {
	c := &calls{
		alike: map[string][]int{}, begun: map[string]int{}, lives: map[string]*life{}, treated: map[string]bool{},
		shapes: map[term.Role]map[string]bool{}, before: map[string]int{}, plain: map[string]int{}, refusals: map[string]bool{}, probes: map[int][]history.Operation{}, bare: map[int]history.Operation{}, told: map[string][]fieldpath.Path{},
	}
	for _, l := range e.byCopy {
		c.lives[l.copy.Name] = l
		if l.copy.Role == term.Treated || e.holdsChange(l) {
			c.treated[l.copy.Manifest] = true
		}
	}
	e.actOnReads(c.lives)
	c.steps = slices.Sorted(maps.Keys(e.acts))
	c.tries = e.lastTries(c.lives)
	for _, op := range e.history.Operations {
		switch op.Purpose {
		case history.Probe:
			c.probes[op.Step] = append(c.probes[op.Step], op)
		case history.Bare:
			c.bare[op.Step] = op
		}
	}
	for _, number := range c.steps {
		e.noteUse(c, number)
		e.indexCall(c, number)
	}
	return c
}

// actOnReads makes a read the act of its step where its client could not decode
// the answer, or where the release no longer serves the kind at all: the write
// that was to follow was not made.
func (e *evidence) actOnReads(lives map[string]*life) {
	for number, read := range e.reads {
		_, acted := e.acts[number]
		if l := lives[read.Copy]; !acted && (outcomeOf(read) == misread || !read.Done() && l != nil && (e.unserved(read.Role, l, number) || e.misled(read.Role, l, number))) {
			e.acts[number] = read
		}
	}
}

// indexCall takes in one call: the refusals that its line declares, and whether
// others can be held against it.
func (e *evidence) indexCall(c *calls, number int) {
	at := e.steps[number]
	if at.step.Verb.Deletes() && at.step.Respond != nil {
		c.refusals[declared(at.step.Object, at.step.Respond.Code)] = true
	}
	l := c.lives[at.step.Copy]
	if l != nil && e.hadPast(l, number) {
		return // it is no measure for others
	}
	if l == nil && at.step.Verb != term.ListAll || l != nil && c.usesIn(l, number) || !e.acts[number].Done() {
		return
	}
	sign := at.sign
	e.refer(c, c.plain, sign, number)
	if at.index == 0 {
		e.refer(c, c.before, sign, number)
		c.alike[sign] = append(c.alike[sign], number)
	}
}

// lifeOf is the copy that a call is about; of a LIST, all copies of its object.
// Nil: it is about none.
func (e *evidence) lifeOf(number int) *life {
	step := e.steps[number].step
	if l := e.calls.lives[step.Copy]; l != nil || step.Verb != term.ListAll {
		return l
	}
	return e.whole(step.Object)
}

func declared(object string, code int) string { return fmt.Sprint(object, " ", code) }

// refer makes a call the reference of its signature, unless a better one is.
func (e *evidence) refer(c *calls, to map[string]int, sign string, number int) {
	control := func(number int) bool {
		l := c.lives[e.steps[number].step.Copy]
		return l != nil && l.copy.Role == term.Control
	}
	if known, is := to[sign]; !is || !control(known) && control(number) {
		to[sign] = number
	}
}

// holdsChange tells whether the copy's manifest has a value for which the old
// release publishes no place, and the new one does.
func (e *evidence) holdsChange(l *life) bool {
	if l.copy.Role != term.Untouched {
		return false
	}
	for _, leaf := range leavesIn(l.kind, l.manifest.Body) {
		if e.isChange(l, leaf.Path) {
			return true
		}
	}
	return false
}

// isChange tells whether the path is part of the change: the new release
// publishes it, or would if its manifests had been applied, and the old one does not.
func (e *evidence) isChange(l *life, p fieldpath.Path) bool {
	return e.typesDeclare(term.New, l, p) && !e.declares(term.Old, l, p)
}

// uses tells whether the copy uses the change.
func (c *calls) uses(l *life) bool {
	switch l.copy.Role {
	case term.Treated:
		return true
	case term.Untouched:
		return c.treated[l.copy.Manifest]
	}
	return false
}

// usesAt tells whether the copy's value at a path is the change in use. Of an
// untouched copy, which is of any form, the value itself says so.
func (e *evidence) usesAt(l *life, p fieldpath.Path) bool {
	return (e.calls.uses(l) || l.copy.Role == term.Untouched || e.calls.begun[l.copy.Name] > 0) && e.isChange(l, p)
}

// classOf is the class of a finding about the copy as a whole, in a step: what
// uses the change is impacted by it, and nothing else may be.
func (c *calls) classOf(l *life, number int) term.Class {
	if c.usesIn(l, number) {
		return term.Impact
	}
	return term.Violation
}

// there tells whether the copy existed when a step called it, so that the call
// could succeed. A birth, and a LIST, need nothing to be there.
func (e *evidence) there(l *life, step plan.Step) bool {
	return born(step) || step.Verb == term.ListAll || !l.gone(step.Number-1)
}

// teller names the check that tells of a call which was not answered with a
// success, so that each is told once. What a line declares of its answer goes
// first; then old clients, who owe the change nothing; then what worked before.
func (e *evidence) teller(number int) term.CheckName {
	at := e.steps[number]
	l := e.lifeOf(number)
	switch {
	case e.panicked(number):
		return term.CheckRule3
	case l == nil || at.step.Respond != nil:
		return term.Answers
	case at.step.Verb == term.ListAll && outcomeOf(e.acts[number]) == cannotRead:
		return term.EverythingDecodes
	case e.rule5Reference(l, at) > 0:
		return term.CheckRule5
	case e.rule1Reference(l, at) > 0:
		return term.CheckRule1
	case e.harms(l, number):
		return term.CheckRule3
	}
	return term.Answers
}

// remember keeps what is told of values, so that no other check tells it again.
func (c *calls) remember(all ...[]result.Finding) {
	for _, f := range slices.Concat(all...) {
		if p, err := path.Parse(f.Path); err == nil && f.Path != "" {
			c.told[f.Copy] = append(c.told[f.Copy], p)
		}
	}
}

// isTold tells whether another check told of the value, or of what holds it.
func (c *calls) isTold(l *life, p fieldpath.Path) bool {
	return slices.ContainsFunc(c.told[l.copy.Name], func(told fieldpath.Path) bool {
		return path.Contains(told, p) || path.Contains(p, told)
	})
}

// called is a copy, a step and who made it, as messages begin.
func (e *evidence) called(l *life, f result.Finding) string {
	return fmt.Sprintf("%s %s: step %d (%s: %s)", f.Kind, cmp.Or(f.Copy, f.Object), f.Step, f.Stage, e.made(f.Step))
}

// referred is the reference in words.
func (e *evidence) referred(number int) string {
	at := e.steps[number]
	return fmt.Sprintf("step %d (%s: %s, on %s)", number, at.stage, e.made(number), cmp.Or(at.step.Copy, at.step.Object))
}

// names are some copies in words: the first few, and how many others.
func names(copies []string) string {
	const some = 5
	if len(copies) <= some {
		return strings.Join(copies, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(copies[:some], ", "), len(copies)-some)
}

// planned are the numbers of the steps that ask something of a copy, or LIST
// them, in order.
func (e *evidence) planned() []int {
	var all []int
	for number, at := range e.steps {
		if at.step.Action == plan.Operate && (at.step.Copy != "" || at.step.Verb == term.ListAll) {
			all = append(all, number)
		}
	}
	slices.Sort(all)
	return all
}

// born tells whether the step is to bring its copy into being.
func born(s plan.Step) bool { return s.Birth || s.Verb == term.Create }
