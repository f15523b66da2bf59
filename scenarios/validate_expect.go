package scenarios

import (
	"reflect"
)

func (v *validator) expect() {
	for i := range v.s.Expect {
		e := &v.s.Expect[i]
		at := element("expect", i)
		v.expectation(at, e)
		if j := v.sameAs(i); j >= 0 {
			v.fail(at, "the same as the expectation in line %d: no finding could match exactly one of them", v.s.Expect[j].Line)
		}
	}
	// After the comparison above, which is about what the file says.
	for i := range v.s.Expect {
		v.s.Expect[i].Stage = v.stagesNamed(v.s.Expect[i].Stage)
	}
}

func (v *validator) expectation(at string, e *Expectation) {
	if v.given(at + ".object") {
		v.object(at+".object", e.Object)
	}
	if v.given(at + ".path") {
		v.path(at+".path", e.Path)
	}
	if v.given(at+".count") && e.Count < 1 {
		v.fail(at+".count", "%d is less than 1: to expect no finding, leave the line out", e.Count)
	}
	v.words(at+".stage", e.Stage, v.expectedStage)
}

// expectedStage is stage, less the word that says nothing here.
func (v *validator) expectedStage(at, word string, line int) {
	if word == EveryStage {
		v.add(line, at, "%q is what leaving the key out means", word)
		return
	}
	v.stage(at, word, line)
}

// sameAs returns an earlier expectation that says the same, or -1.
func (v *validator) sameAs(i int) int {
	this := v.s.Expect[i]
	for j, earlier := range v.s.Expect[:i] {
		earlier.Line = this.Line
		if reflect.DeepEqual(earlier, this) {
			return j
		}
	}
	return -1
}

// stagesNamed replaces short names by the stages they mean, so that a finding
// is matched by its stage's name alone.
func (v *validator) stagesNamed(words []string) []string {
	var named []string
	for _, word := range words {
		named = append(named, MatchStages(word, v.stages)...)
	}
	return named
}
