package scenarios_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
)

const earlierNames = `
about: x
releases: {of: frobber}
objects: {o: {bystander: o.yaml, mutations: {sibling: {.spec.b: 1}}}}
play:
- {create: o}
- {touch: o, mutation: sibling}
twins: {t: {about: x, caught: {check: rule-1, via: new}}}
`

const names = `
about: x
releases: {of: frobber}
objects: {o: {bystander: o.yaml, changes: {sibling: {.spec.b: 1}}}}
play:
- {create: o}
- {touch: o, change: sibling}
mutants: {t: {about: x, caught: {check: rule-1, via: new}}}
`

// TestEarlierNames: a file with the earlier names of keys is the same scenario, and one that
// has both names of a key is refused at the second.
func TestEarlierNames(t *testing.T) {
	read := func(text string) (*scenarios.Scenario, error) {
		return load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte(text)}, "o.yaml": {Data: []byte("apiVersion: example.dev/v1\nkind: Gadget\nspec: {a: 1}\n")},
		}, "x.yaml")
	}
	want, err := read(names)
	require.NoError(t, err)
	got, err := read(earlierNames)
	require.NoError(t, err)
	got.Earlier = nil
	assert.Equal(t, want, got)

	_, err = read(names + "twins: {}\n")
	var problems strict.Errors
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 1)
	assert.Equal(t, 9, problems[0].Line)
}

// TestProblemsNameTheKeyOfTheFile: a problem in a part whose key has its earlier name is at
// that name, and otherwise at the present one.
func TestProblemsNameTheKeyOfTheFile(t *testing.T) {
	wrong := strings.NewReplacer("caught: {check: rule-1, via: new}", "caught: {check: rule-1}", "o, mutation: sibling", "o, mutation: siblin",
		"o, change: sibling", "o, change: siblin", "o}\n", "o}\n- {get: o, mutation: label}\n", "{sibling: {", "{sibling: {}, element: {")
	for text, want := range map[string][]string{
		earlierNames: {"objects.o.mutations.sibling", "play[1].mutation", "play[2].mutation", "twins.t.caught"},
		names:        {"objects.o.changes.sibling", "play[1].mutation", "play[2].change", "mutants.t.caught"},
	} {
		_, err := load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte(wrong.Replace(text))}, "o.yaml": {Data: []byte("apiVersion: example.dev/v1\nkind: Gadget\nspec: {a: 1}\n")},
		}, "x.yaml")
		var problems strict.Errors
		require.ErrorAs(t, err, &problems)
		var paths []string
		for _, p := range problems {
			paths = append(paths, p.Path)
		}
		assert.Subset(t, paths, want, err)
		absent := map[bool][]string{true: {"mutants", "changes"}, false: {"twins", "mutations"}}[text == earlierNames]
		for _, path := range paths {
			for _, key := range absent {
				assert.NotContains(t, path, key)
			}
		}
	}
}
