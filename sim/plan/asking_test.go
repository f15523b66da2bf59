package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// played builds a scenario of one line at one stage, and returns what it plays
// on bystanders, and what it skips.
func played(t *testing.T, line string) (calls, skipped []string) {
	const head = "name: s\nabout: x\njourney: [upgrade]\nreplicas: 1\n" +
		"objects: {x: {bystander: bystander.yaml, changes: {sibling: {.spec.a: 1}, element: {.spec.b: 1}, list: {.spec.c: 1}}}}\n" +
		"play:\n- {create: x, via: old}\n- {touch: x, change: [sibling, element, list], at: new, via: new}\n"
	p := build(t, parse(t, "s", head+"- "+line+"\n"), 0)
	_, all := byRole(p, term.Bystander)
	for _, s := range all {
		if s.Line == 9 {
			text, _, _ := strings.Cut(s.String(), ", read")
			text, _, _ = strings.Cut(text, ", via")
			calls = append(calls, strings.Replace(text, " "+s.Copy, "", 1))
		}
	}
	for _, s := range p.Skipped {
		skipped = append(skipped, s.Cell+": "+s.Reason)
	}
	return calls, skipped
}

// TestMultiply: a list multiplies those cells that it makes a difference to.
func TestMultiply(t *testing.T) {
	for line, want := range map[string]int{
		"{touch: x, at: old, via: old}":                                                                                                 1,
		"{touch: x, at: old, via: old, change: [label, sibling, element, list]}":                                                        4,
		"{touch: x, at: old, via: old, verb: [put, status-put, scale-put, unchanged-put], change: [label, sibling]}":                    5,
		"{touch: x, at: old, via: old, client: [old-typed, dynamic], encoding: [json, protobuf]}":                                       3,
		"{touch: x, at: old, via: old, client: old-typed, verb: [put, merge-patch, scale-put, status-put], encoding: [json, protobuf]}": 6,
		"{touch: x, at: old, via: old, fieldValidation: [Ignore, Warn, Strict]}":                                                        3,
		"{touch: x, at: old, via: old, apiVersion: [v1, v2]}":                                                                           2,
		"{touch: x, at: old, via: old, client: [old-apply, old-typed], manager: [one, two]}":                                            3,
		"{touch: x, at: old, via: old, read: [old, a], verb: [put, merge-patch]}":                                                       3,
		"{delete: x, at: old, via: old, verb: [delete, delete-collection]}":                                                             2,
		"{patch: x, at: old, via: old, type: merge-patch, body: {a: b}, fieldValidation: [Warn, Strict]}":                               2,
	} {
		calls, skipped := played(t, line)
		assert.Len(t, calls, want, line)
		assert.Empty(t, skipped, line)
	}
}

// TestUnfitIsToldOnce: a combination that no client of a kind can play is reported once for the
// line, however its other lists multiply; a combination that nobody requested is not reported.
func TestUnfitIsToldOnce(t *testing.T) {
	for line, want := range map[string][]string{
		"{touch: x, at: [old, new], client: [old-apply, dynamic], verb: [put, apply], change: [label, sibling], fieldValidation: [Warn, Strict]}": {
			"put x by old-apply: an apply client only applies",
		},
		"{touch: x, at: old, via: old, client: [old-typed, dynamic], encoding: protobuf, verb: [put, merge-patch], read: [old, a]}": {
			"put x by dynamic (protobuf): only old-typed, new-typed and older-typed have protobuf",
			"merge-patch x by old-typed (protobuf): its bodies are always JSON",
			"merge-patch x by dynamic (protobuf): only old-typed, new-typed and older-typed have protobuf",
		},
		"{touch: x, at: old, via: old, client: [old-apply, dynamic], verb: put, encoding: [json]}": {
			"put x by old-apply: an apply client only applies",
		},
		"{touch: x, at: old, via: old, client: [old-apply, new-typed, dynamic]}": nil,
	} {
		_, skipped := played(t, line)
		skipped = slices.DeleteFunc(skipped, func(s string) bool { return strings.Contains(s, "no replica runs") })
		assert.Equal(t, want, skipped, line)
	}
}

// TestSkipsAreCounted: the plan's head says how many there are.
func TestSkipsAreCounted(t *testing.T) {
	p := build(t, parse(t, "apply", texts(t)["apply"]), 0)
	assert.NotEmpty(t, p.Skipped)
	assert.Contains(t, p.String(), " 3 skipped; every write")
	assert.Equal(t, 3, strings.Count(p.String(), "\nskipped: line "))
}

// TestAround holds when a run watches, lists, tries and has releases read, in
// every fixture and for any seed: no write comes before the watches of its
// stage; each completed roll-out but the last is tried at once, the first stage
// and the last at their end.
func TestAround(t *testing.T) {
	for name, text := range texts(t) {
		p := build(t, parse(t, name, text), int64(len(name)%3))
		for i, stage := range p.Stages {
			label := name + ": " + stage.Name
			assert.Equal(t, 1, strings.Count(actions(stage), "watch"), label)
			last := i == len(p.Stages)-1
			assert.Regexp(t, before(i, uniform(stage) && !last), actions(stage), label)
			assert.Regexp(t, after(i, last), actions(stage), label)
		}
	}
}

// actions are those of the stage's steps, many operations as one.
func actions(stage plan.Stage) string {
	var words []string
	for _, s := range stage.Steps {
		if word := string(s.Action); word != "operate" || words[len(words)-1] != word {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// before is how a stage begins.
func before(i int, uniform bool) string {
	switch {
	case i == 0:
		return "^(start )+prepare watch"
	case uniform:
		return "^replace watch observe attempt"
	}
	return "^replace watch observe( operate observe)?( attempt trial stop)?$"
}

// after is how a stage ends.
func after(i int, last bool) string {
	switch {
	case last:
		return "observe attempt trial stop$"
	case i == 0:
		return "(operate observe|watch) attempt$"
	}
	return "(operate )?observe$|attempt$"
}

func uniform(s plan.Stage) bool {
	return rolesOf(s, term.Old)*rolesOf(s, term.New) == 0
}

// TestOneLineEach: a step is one line, and two that differ in more than their
// copy and their scenario's line print two texts, or name their lines.
func TestOneLineEach(t *testing.T) {
	for name, text := range texts(t) {
		first := map[string]plan.Step{}
		for _, stage := range build(t, parse(t, name, text), 0).Stages {
			for _, s := range stage.Steps {
				printed := stage.Name + ": " + strings.Replace(s.String(), s.Copy, s.Object, 1)
				assert.NotContains(t, printed, "\n", name)
				s.Number, s.Copy = 0, ""
				if s.Line = 0; strings.Contains(printed, " as line ") {
					s.Line = 1
				}
				if other, twice := first[printed]; twice {
					assert.Equal(t, other, s, "%s: %s", name, printed)
				}
				first[printed] = s
			}
		}
	}
}
