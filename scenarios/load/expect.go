package load

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

func (v expectChecks) expect() {
	if v.tooMany("expect", len(v.s.Expect)) {
		return
	}
	lines := map[string]int{}
	for i := range v.s.Expect {
		e := &v.s.Expect[i]
		at := strict.Element("expect", i)
		v.expectation(at, e)
		v.when(at+".when", e.When)
		v.exception(at, e)
		if line, same := lines[content(*e)]; same {
			v.fail(at, "the same as the expectation in line %d: no finding could match exactly one of them", line)
		}
		lines[content(*e)] = e.Line
	}
}

// content is the part of an expectation that describes findings, without its line, its owner
// and its reason. Lines for different pairs have different content.
func content(e scenarios.Expectation) string {
	var when scenarios.When
	if e.When != nil {
		when = *e.When
	}
	e.Line, e.When, e.Owner, e.Until, e.Why = 0, nil, "", "", ""
	return fmt.Sprintf("%#v %#v", when, e)
}

func (v expectChecks) expectation(at string, e *scenarios.Expectation) {
	for i, name := range e.Object {
		v.object(v.placeOf(at+".object", i), name)
	}
	for i, text := range e.Path {
		e.Path[i] = v.path(v.placeOf(at+".path", i), text)
	}
	if v.given(at+".count") && e.Count < 1 {
		v.fail(at+".count", "%d is less than 1: to expect no finding, leave the line out", e.Count)
	}
	lineChecks(v).words(at+".stage", e.Stage, v.expectedStage)
	e.Stage = v.stagesNamed(e.Stage)
}

// placeOf returns the place of a word in a list, or that of the list if the file has a single
// word in its place.
func (v expectChecks) placeOf(list string, i int) string {
	if at := strict.Element(list, i); v.given(at) {
		return at
	}
	return list
}

// expectedStage checks stage, and refuses the word that has no effect there.
func (v expectChecks) expectedStage(at, word string, line int) {
	if word == scenarios.EveryStage {
		v.Add(line, at, "%q is what leaving the key out means", word)
		return
	}
	v.stage(at, word, line)
}

// stagesNamed replaces short names with the stages they mean, so that a finding matches by its
// stage's name alone.
func (v expectChecks) stagesNamed(words []string) []string {
	var named []string
	for _, word := range words {
		named = append(named, scenarios.MatchStages(word, v.stages)...)
	}
	return named
}
