package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
)

// loadMarked loads a scenario of a Gadget with the given marks and lines.
func loadMarked(marks, lines string) (*scenarios.Scenario, error) {
	text := "name: s\nabout: Some.\nobjects: {g: {treated: g.yaml}}\nrelated: [[.spec.token, .spec.tokens], [.spec.size, .spec.sizes]]\nplay:\n- {create: g}\n" + lines + "confidential:\n" + marks
	object := "{apiVersion: example.dev/v1, kind: Gadget, spec: {token: hunter2, users: [{name: bob, pin: 4711}]}}"
	return load.FS(fstest.MapFS{"s.yaml": {Data: []byte(text)}, "g.yaml": {Data: []byte(object)}}, "s.yaml")
}

// TestConfidentialPaths: marks are by kind, and hold for what repeats the value.
func TestConfidentialPaths(t *testing.T) {
	s, err := loadMarked("- {object: g, path: [.spec.token, '.spec.users[id=1].pin']}\n", "")
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"Gadget": {".spec.token", ".spec.tokens", ".spec.users[id=1].pin"}}, s.ConfidentialPaths())

	s, err = loadMarked("- {object: g, path: .spec.users}\n", "")
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"Gadget": {".spec.users"}}, s.ConfidentialPaths())
}

// TestGroupsThatLeadOn: what repeats a repeated value is no less confidential; a
// group that nothing leads to stays open.
func TestGroupsThatLeadOn(t *testing.T) {
	s, err := loadMarked("- {object: g, path: .spec.token}\n", "")
	require.NoError(t, err)
	s.Related = []scenarios.Group{
		{Paths: []string{".spec.tokens.first", ".spec.third"}}, {Paths: []string{".spec.token", ".spec.tokens"}}, {Paths: []string{".spec.size", ".spec.sizes"}},
	}
	assert.Equal(t, map[string][]string{"Gadget": {".spec.third", ".spec.token", ".spec.tokens", ".spec.tokens.first"}}, s.ConfidentialPaths())
}

// TestIdleMarks: a mark with a slip of the pen would hide nothing.
func TestIdleMarks(t *testing.T) {
	_, err := loadMarked("- {object: g, path: .spec.tokn}\n", "")
	assert.EqualError(t, err, "s.yaml:8: confidential[0].path[0]: no object file and no line of play has anything at .spec.tokn of g")
	for _, line := range []string{
		"- {set: g, fields: {.spec.tokn: x}}\n",
		"- {set: g, fields: {.spec: {tokn: x}}}\n",
		"- {get: g, then: [{set: g, fields: {.spec.tokn.below: x}}]}\n",
		"- {patch: g, type: json-patch, body: [{op: remove, path: /spec/tokn}], names: [.spec]}\n",
	} {
		_, err := loadMarked("- {object: g, path: .spec.tokn}\n", line)
		assert.NoError(t, err, line)
	}
}

// TestElementsByConfidentialValues: a path that names an element by a confidential value would
// show the value; the accepted cases name an element by an unmarked value.
func TestElementsByConfidentialValues(t *testing.T) {
	for line, refused := range map[string]bool{
		`- {set: g, fields: {'.spec.users[pin=4711].on': true}}` + "\n":   true,
		`- {set: g, fields: {'.spec.users[name="bob"].on': true}}` + "\n": false,
		`- {list: g, fieldSelector: spec.users.pin=4711}` + "\n":          true,
		`- {list: g, fieldSelector: spec.users.name=bob}` + "\n":          false,
	} {
		_, err := loadMarked("- {object: g, path: .spec.users.pin}\n", line)
		assert.Equal(t, refused, err != nil, "%s: %v", line, err)
	}
}
