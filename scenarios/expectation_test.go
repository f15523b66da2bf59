package scenarios_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// expecting is a scenario with this under expect, and an object named no.
func expecting(t *testing.T, expect string) (*scenarios.Scenario, error) {
	t.Helper()
	folder := t.TempDir()
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "o.yaml"), []byte(object), 0o600))
	text := "name: s\nabout: x\nobjects: {\"no\": {bystander: o.yaml}, cm: {bystander: o.yaml}}\nplay: [{create: \"no\"}, {create: cm}]\n" + expect
	file := filepath.Join(folder, "s.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return load.File(file)
}

const everyKey = `{check: rule-2, class: [violation, impact], rule: [rule-1, rule-2], outcome: [lost, changed], ` +
	`cause: [unknown-field, read-hidden], object: ['no', cm], copy: bystander, path: ['.data["a.b"]', '.data.c'], ` +
	`stage: [new, upgrading 1/2], client: [dynamic, new-typed], encoding: json, fieldValidation: Strict, ` +
	`generation: unmoved, claimedBy: ['a: b', 'c'], count: 2, when: {old: '< 1.36'}, owner: 'me', until: 2027-03-31, why: 'x'}`

// A file without a name is called as it is; what no object could be called is refused, with
// the key or without.
func TestNameOfTheFile(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	write("o.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	const text = "about: x\nobjects: {cm: {bystander: o.yaml}}\nplay: [{create: cm}]\n"
	s, err := load.File(write("my-field.yaml", text))
	require.NoError(t, err)
	assert.Equal(t, "my-field", s.Name)
	for _, file := range []string{write("My_Field.yaml", text), write("other.yaml", "name: another\n"+text)} {
		_, err = load.File(file)
		var problems strict.Errors
		require.ErrorAs(t, err, &problems, file)
		assert.Len(t, problems, 1, file)
	}
}

// The keys that hold words of a list take several of them, each checked by itself.
func TestExpectTakesLists(t *testing.T) {
	s, err := expecting(t, "expect:\n- "+everyKey+"\n")
	require.NoError(t, err)
	e := s.Expect[0]
	assert.Equal(t, scenarios.OneOf[term.Class]{term.Violation, term.Impact}, e.Class)
	assert.Equal(t, scenarios.OneOf[string]{"no", "cm"}, e.Object)
	assert.Equal(t, scenarios.OneOf[string]{`.data["a.b"]`, ".data.c"}, e.Path)
	assert.Equal(t, everyKey, e.Flow(), "as a line of expect has it")

	one, err := expecting(t, "expect: [{check: rule-2, class: impact}]\n")
	require.NoError(t, err)
	assert.Equal(t, scenarios.OneOf[term.Class]{term.Impact}, one.Expect[0].Class)

	for expect, want := range map[string]string{
		"{check: rule-2, class: [impact, violaton]}": "expect[0].class",
		"{check: rule-2, object: [cm, mc]}":          "expect[0].object[1]",
		"{check: rule-2, path: [.data.c, data]}":     "expect[0].path[1]",
		"{check: rule-2, cause: []}":                 "expect[0].cause",
	} {
		_, err := expecting(t, "expect:\n- "+expect+"\n")
		var problems strict.Errors
		require.ErrorAs(t, err, &problems, expect)
		assert.Equal(t, want, problems[0].Path, expect)
	}
}

// Histories and results of versions that knew no lists can be read, and one word is
// written as they have it.
func TestExpectationsAsJSON(t *testing.T) {
	const one, two = `{"check":"rule-2","class":"impact","path":".data.c"}`, `{"check":"rule-2","class":["violation","impact"]}`
	for _, text := range []string{one, two} {
		var e scenarios.Expectation
		require.NoError(t, json.Unmarshal([]byte(text), &e))
		again, err := json.Marshal(e)
		require.NoError(t, err)
		assert.Equal(t, text, string(again))
	}
}

// A scenario without the key expect makes no statement about findings; an empty list, as in A/A
// runs, expects none.
func TestLacksExpect(t *testing.T) {
	without, err := expecting(t, "")
	require.NoError(t, err)
	assert.True(t, without.LacksExpect())
	aa, err := without.AARun(term.Old)
	require.NoError(t, err)
	assert.False(t, aa.LacksExpect())
	with, err := expecting(t, "expect: []\n")
	require.NoError(t, err)
	assert.False(t, with.LacksExpect())
}
