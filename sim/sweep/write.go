package sweep

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Lines returns the lines of expect that fit findings; severalObjects reports whether the
// scenario has several objects. Package oracle has it.
type Lines func(findings []result.Finding, severalObjects bool) []scenarios.Expectation

// Write returns the scenario that plays one row alone, with lines of expect that fit what the
// lap found. It returns an error if the lap has no object for the row.
func Write(r Row, lap Lap, lines Lines) (Generated, error) {
	b := newBook(lap)
	objects, err := b.playedFor(r)
	if err != nil {
		return Generated{}, err
	}
	unsent := map[string]bool{} // copies to which the scenario does not send what the lap sent
	for i, o := range objects {
		copies, refused := b.played[o.Target.ID].zeros()
		objects[i].ZeroRefused = refused
		for _, name := range copies {
			unsent[name] = refused
		}
	}
	s := lap.Settings
	s.Name = objects[0].Target.ID
	s.About = fmt.Sprintf("%s: %s. A sweep found: %s.", nameOf(r), term.DifferenceKinds().Meaning(r.Difference.Difference), term.Outcomes().Meaning(outcomeIn(r, lap.Lap).Outcome))
	s.expect = lines(findingsOf(objects, lap.Evidence, unsent), severalObjects(objects, s))
	if s.expect == nil {
		s.expect = []scenarios.Expectation{} // without the key, impacts would not fail the run
	}
	return compose(objects, s)
}

// WriteGate returns the scenario that plays one row alone where the ends of the pair differ in the row's gates: a
// gate is switched on and off again, on servers of one release. The lap has not played that, so the scenario has
// no key expect.
func WriteGate(r Row, lap Lap) (Generated, error) {
	objects, err := newBook(lap).playedFor(r)
	if err != nil {
		return Generated{}, err
	}
	s := lap.Settings
	s.Name = objects[0].Target.ID + GateSuffix
	s.About = fmt.Sprintf("%s: the feature gate is switched on, off and on again. Not played yet: add the lines of expect that skewsim expect prints after a run.", nameOf(r))
	return compose(objects, s)
}

// GateSuffix ends the name of a scenario of [WriteGate].
const GateSuffix = "-gate"

// playedFor returns the objects that the lap played for a row.
func (b *book) playedFor(r Row) (objects []Object, _ error) {
	for _, o := range b.objectsOf(r) {
		if _, ran := b.played[o.Target.ID]; ran && o.Played() {
			objects = append(objects, o)
		}
	}
	if r.isShown() {
		objects = b.showing(outcomeIn(r, b.lap).Object)
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("row %s: no object was played for it: %w", r.ID, ErrNoObject)
	}
	return objects, nil
}

// ErrNoObject is the error of a row that nothing was played for.
var ErrNoObject = errors.New("a scenario needs an object that a server accepts")

// showing is the object that showed a row which no difference explains.
func (b *book) showing(object string) (objects []Object) {
	for _, o := range b.of.Objects {
		if o.Target.ID == object {
			objects = append(objects, o)
		}
	}
	return objects
}

// outcomeIn is a row's outcome in a lap.
func outcomeIn(r Row, lap term.Lap) LapResult {
	if i := slices.IndexFunc(r.Laps, func(o LapResult) bool { return o.Lap == lap }); i >= 0 {
		return r.Laps[i]
	}
	return r.LapResult
}

// findingsOf are the findings on objects, except on some of their copies.
func findingsOf(objects []Object, evidence []Evidence, except map[string]bool) (all []result.Finding) {
	names := map[string]bool{}
	for _, o := range objects {
		names[o.Target.ID] = true
	}
	for _, e := range evidence {
		for _, f := range e.Findings {
			if names[ObjectOf(f.Object)] && f.Order == 0 && !except[f.Copy] {
				all = append(all, f)
			}
		}
	}
	return all
}

// severalObjects reports whether the scenario of some objects has several: one is offered to the
// other release beside the object itself.
func severalObjects(objects []Object, s Settings) bool {
	all := treatments(objects[0], s.Releases.Of == scenarios.ManifestComponent)
	return len(objects) > 1 || slices.ContainsFunc(all, func(l scenarios.Line) bool { return ObjectOf(l.Create) != l.Create })
}
