package allow_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/allow"
)

var today = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func subjects() []allow.Subject {
	row := func(id, kind, path string, v term.Effect) allow.Subject {
		return allow.Subject{ID: id, Difference: term.FieldAdded, Kind: kind, Path: path, Effect: v}
	}
	return []allow.Subject{
		row("a", "Pod", ".spec.a", term.Lost.By(term.OldServer)), row("b", "Pod", ".spec.a.b", term.Frozen.Effect()), row("c", "Set", ".spec.ab", term.Hidden.Effect()),
		{Effect: term.Frozen.Effect(), Direction: "up", Kind: "Pod", Namespace: "ns", Name: "f", Path: ".spec.a[].c"},
		{Effect: term.Lost.Effect(), Direction: "back", Group: "g.io", Kind: "Set", Name: "g", Path: ".spec.x"},
	}
}

// accepted are the subjects that a list accepts, by ID or name.
func accepted(u *allow.Use) (all []string) {
	for _, s := range subjects() {
		if l, is := u.Accepts(s); is && l.Owner == "sig-x" {
			all = append(all, s.ID+s.Name)
		}
	}
	return all
}

const who = ", owner: sig-x, why: known}\n"

// TestAccepts: what a line accepts.
func TestAccepts(t *testing.T) {
	for line, want := range map[string][]string{
		"{id: a, until: 2026-11-23" + who:                                      {"a"},
		"{kind: Pod, until: 2026-12-01" + who:                                  {"a", "b", "f"},
		"{path: .spec.a, until: 2026-12-01" + who:                              {"a", "b", "f"},
		"{path: .spec.a, verdict: lost-by-old-server, until: 2026-12-01" + who: {"a"},
		"{path: .spec.a, outcome: 'lost:old-server', until: 2026-12-01" + who:  {"a"},
		"{kind: Pod, outcome: lost, until: 2026-12-01" + who:                   {"a"},
		"{kind: Set, outcome: lost, until: 2026-12-01" + who:                   {"c", "g"},
		"{kind: Pod, outcome: frozen, until: 2026-12-01" + who:                 {"a", "b", "f"},
		"{verdict: frozen, kind: Pod, until: 2026-12-01" + who:                 {"a", "b"},
		"{difference: field-added, kind: Set, until: 2026-12-01" + who:         {"c"},
		"{class: frozen, until: 2026-12-01" + who:                              {"f"},
		"{class: lost, kind: Pod, until: 2026-12-01" + who:                     nil,
		"{kind: Pod, direction: back, until: 2026-12-01" + who:                 nil,
		"{kind: Pod, namespace: ns, name: f, until: 2026-12-01" + who:          {"f"},
		"{kind: Set, group: g.io, until: 2026-12-01" + who:                     {"g"},
		"{id: a, until: 2026-11-22" + who:                                      nil,
		"{class: lost, kind: Set, until: 2026-11-22" + who:                     nil,
	} {
		list, err := allow.Parse("allow.yaml", []byte("allow:\n- "+line))
		require.NoError(t, err, line)
		assert.Equal(t, want, accepted(list.On(today)), line)
	}
}

// TestReport: an expired line fails the command whose it is, and a line that accepts nothing any
// more is reported to it. Lines for the other command are not.
func TestReport(t *testing.T) {
	list, err := allow.Parse("allow.yaml", []byte("allow:\n- {id: gone, until: 2027-01-01"+who+"- {id: a, issue: 'https://example.com/1', until: 2027-01-01"+who+
		"- {class: lost, until: 2026-11-22"+who+"- {namespace: gone, until: 2027-01-01"+who))
	require.NoError(t, err)
	use := list.On(today)
	require.Equal(t, []string{"a"}, accepted(use))
	sweep, preflight := use.Report(true), use.Report(false)
	require.NoError(t, sweep.Err("allow.yaml"))
	require.Len(t, sweep.Unused, 1)
	assert.Equal(t, "gone", sweep.Unused[0].ID)
	assert.Equal(t, 2, sweep.Unused[0].Line)
	require.Error(t, preflight.Err("allow.yaml"))
	require.Len(t, preflight.Unused, 1)
	assert.Equal(t, 5, preflight.Unused[0].Line)
}

// TestMistakes: each mistake in a file is found at its line.
func TestMistakes(t *testing.T) {
	for text, paths := range map[string][]string{
		"allow:\n- {id: a}\n": {"allow[0]", "allow[0]", "allow[0]"},
		"allow:\n- {id: a, until: 2027-01-01, owner: ' ', why: known}\n": {"allow[0].owner"},
		"allow:\n- {until: 2027-01-01" + who:                             {"allow[0]"},
		"allow:\n- {id: a, until: soon" + who:                            {"allow[0].until"},
		"allow:\n- {id: a, verdict: lots, until: 2027-01-01" + who:       {"allow[0].verdict"},
		"allow:\n- {id: a, outcome: 'lost:me', until: 2027-01-01" + who:  {"allow[0].outcome"},
		"allow:\n- {difference: field, until: 2027-01-01" + who:          {"allow[0].difference"},
		"allow:\n- {class: lots, until: 2027-01-01" + who:                {"allow[0].class"},
		"allow:\n- {direction: down, until: 2027-01-01" + who:            {"allow[0].direction"},
		"allow:\n- {class: lost, id: a, until: 2027-01-01" + who:         {"allow[0]"},
		"allow:\n- {identity: a, kind: Pod, until: 2027-01-01" + who:     {"allow[0]"},
	} {
		_, err := allow.Parse("allow.yaml", []byte(text))
		all, is := errors.AsType[strict.Errors](err)
		require.True(t, is, text)
		var got []string
		for _, p := range all {
			got = append(got, p.Path)
			assert.Equal(t, 2, p.Line, text)
		}
		assert.ElementsMatch(t, paths, got, text)
	}
}
