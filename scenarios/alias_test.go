package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	read := func(text string) (any, error) {
		return load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte(text)}, "o.yaml": {Data: []byte("apiVersion: example.dev/v1\nkind: Gadget\nspec: {a: 1}\n")},
		}, "x.yaml")
	}
	want, err := read(names)
	require.NoError(t, err)
	got, err := read(earlierNames)
	require.NoError(t, err)
	assert.Equal(t, want, got)

	_, err = read(names + "twins: {}\n")
	var problems strict.Errors
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 1)
	assert.Equal(t, 9, problems[0].Line)
}
