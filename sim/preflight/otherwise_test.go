package preflight

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/published"
)

// fieldsOf returns what a release publishes of the kind of seen: its members, of any form.
func fieldsOf(members string) *mask.Fields {
	const text = `{"openapi":"3.0.0","components":{"schemas":{"A":{"type":"object","x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"A"}],"properties":{"status":{"type":"object","properties":{%s}}}}}}}`
	return mask.FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": fmt.Appendf(nil, text, members)}})
}

// showing is what a release with such members shows.
func showing(release, members, object string) Seen {
	s := seen(release, object)
	s.Fields = fieldsOf(members)
	return s
}

// TestHiddenByTheNewerRelease: a value of a field that the newer release does not know is lost with its first
// write. One of a field that it knows may be a default. Nothing is found of an empty value, of one that moved, and
// of what the store writes.
func TestHiddenByTheNewerRelease(t *testing.T) {
	const both, older = `"kept":{"type":"string"},"other":{"type":"string"}`, `"gone":{},"kept":{"type":"string"},"other":{"type":"string"}`
	for name, c := range map[string]struct {
		first, second string
		want          []term.Outcome
	}{
		"unknown field":       {`{"status":{"kept":"a","gone":{"cpu":"1"}}}`, `{"status":{"kept":"a"}}`, []term.Outcome{term.Lost}},
		"known field":         {`{"status":{"kept":"a"}}`, `{"status":{}}`, []term.Outcome{term.Changed}},
		"empty":               {`{"status":{"gone":{"cpu":0,"all":[]}}}`, `{"status":{}}`, nil},
		"moved":               {`{"status":{"gone":"where"}}`, `{"status":{"other":"where"}}`, nil},
		"the same by chance":  {`{"status":{"gone":true}}`, `{"status":{"other":true}}`, []term.Outcome{term.Lost}},
		"written by a store":  {`{"metadata":{"managedFields":[{"a":1}],"generation":1},"status":{}}`, `{"metadata":{},"status":{}}`, nil},
		"shown by both alike": {`{"status":{"gone":"a"}}`, `{"status":{"gone":"a"}}`, nil},
	} {
		all, _ := Otherwise(showing("old", older, c.first), showing("new", both, c.second), Up, nil)
		assert.Equal(t, c.want, classes(all), name)
	}
	all, _ := Otherwise(showing("old", older, `{"status":{"gone":{"cpu":"1"}}}`), showing("new", both, `{"status":{}}`), Up, nil)
	require.Len(t, all, 1)
	assert.Equal(t, []any{".status.gone", Up, "new"}, []any{all[0].Path, all[0].Direction, all[0].Release})
	all, _ = Otherwise(showing("new", both, `{"status":{"kept":"a"}}`), showing("new", both, `{"status":{}}`), Back, nil)
	assert.Empty(t, all, "of the way back, writes say what is lost")
}

// TestLeftover: a value that the newer release alone shows is stored if a write of the older one destroys it, and
// a default if it does not.
func TestLeftover(t *testing.T) {
	const older, newer = `"a":{}`, `"a":{},"left":{}`
	before, after := showing("old", older, `{"status":{"a":1}}`), showing("new", newer, `{"status":{"a":1,"left":7}}`)
	for name, c := range map[string]struct {
		written   string
		want      []term.Outcome
		defaulted int
	}{
		"stored":     {`{"status":{"a":1}}`, []term.Outcome{term.Lost, term.Hidden}, 0},
		"default":    {`{"status":{"a":1,"left":7}}`, nil, 1},
		"not played": {"", nil, 1},
	} {
		var j Judged
		found, added := Otherwise(before, after, Up, nil)
		j.Add(found...)
		j.Default("a.io", "A", added)
		if c.written != "" {
			again := showing("new", newer, c.written)
			again.Phase = PhaseWritten
			j.Add(Losses(after, again, Back, term.Old)...)
		}
		assert.Equal(t, c.want, classes(j.Findings()), name)
		assert.Len(t, j.Defaulted(), c.defaulted, name)
	}
	found, _ := Otherwise(showing("old", newer, `{"status":{"a":1}}`), after, Up, nil)
	assert.Empty(t, found, "the older release knows the field, and shows what is stored")
}
