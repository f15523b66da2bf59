package skewtest

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Expectation describes findings that a scenario must have. A finding matches if it agrees
// with every limit of the expectation. An expectation without a match fails the test, as
// does a finding without a matching expectation.
type Expectation struct {
	model scenarios.Expectation
	at    position
	errs  []error // of its methods
}

// Impact expects findings that are a consequence of the change under test: the check that
// reports them, such as "nothing-lost", and why, such as "unknown-field".
func Impact(check Check, causes ...Cause) *Expectation {
	return expectation(term.Impact, check, causes)
}

// Violation expects findings that break a rule. A scenario that expects them documents a
// defect of the release.
func Violation(check Check, causes ...Cause) *Expectation {
	return expectation(term.Violation, check, causes)
}

func expectation(class term.Class, check Check, causes []Cause) *Expectation {
	return &Expectation{at: caller(1), model: scenarios.Expectation{
		Check: term.CheckName(check), Class: scenarios.OneOf[term.Class]{class}, Cause: wordsOf[term.Cause](causes),
	}}
}

// At limits the expectation to fields, by path, such as ".spec.myField".
func (e *Expectation) At(paths ...string) *Expectation {
	e.model.Path = append(e.model.Path, paths...)
	return e
}

// Of limits the expectation to objects, by their names in the scenario.
func (e *Expectation) Of(objects ...string) *Expectation {
	e.model.Object = append(e.model.Object, objects...)
	return e
}

// Outcomes limits what happened to the value.
func (e *Expectation) Outcomes(outcomes ...Outcome) *Expectation {
	e.model.Outcome = append(e.model.Outcome, wordsOf[term.Outcome](outcomes)...)
	return e
}

// Stages limits the stages of the step that did it.
func (e *Expectation) Stages(stages ...At) *Expectation {
	e.model.Stage = append(e.model.Stage, wordsOf[string](stages)...)
	return e
}

// Clients limits the clients whose step did it.
func (e *Expectation) Clients(clients ...Client) *Expectation {
	e.model.Client = append(e.model.Client, wordsOf[term.Client](clients)...)
	return e
}

// Verbs limits the verbs of the step that did it.
func (e *Expectation) Verbs(verbs ...Verb) *Expectation {
	e.model.Verb = append(e.model.Verb, wordsOf[term.Verb](verbs)...)
	return e
}

// Via limits the releases that the step wrote through: ViaOld, ViaNew.
func (e *Expectation) Via(via ...Via) *Expectation {
	e.model.Via = append(e.model.Via, wordsOf[term.Role](via)...)
	return e
}

// Count sets how many findings match. The default is any number but none.
func (e *Expectation) Count(n int) *Expectation {
	if n < 1 {
		e.errs = append(e.errs, fmt.Errorf("%s: Count(%d) is less than 1: to expect no finding, leave the expectation out", caller(0), n))
	}
	e.model.Count = n
	return e
}

// Because gives the reason, for reports.
func (e *Expectation) Because(reason string) *Expectation {
	e.model.Why = reason
	return e
}

// Edit changes the model itself, for keys that have no method here.
func (e *Expectation) Edit(change func(*scenarios.Expectation)) *Expectation {
	if change == nil {
		e.errs = append(e.errs, isNil(caller(0), "the function of Edit"))
		return e
	}
	change(&e.model)
	return e
}

// Expect adds what the scenario must find. Without expectations the scenario must find
// nothing.
func (s *ScenarioSpec) Expect(all ...*Expectation) *ScenarioSpec {
	for i, e := range all {
		if e == nil {
			s.errs = append(s.errs, isNil(caller(0), fmt.Sprintf("argument %d of Expect", i+1)))
			continue
		}
		s.expect = append(s.expect, e)
	}
	return s
}
