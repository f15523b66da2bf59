package allow_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/allow"
)

var today = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func rows() []sweep.Row {
	row := func(id, kind, path string, v term.Fate) sweep.Row {
		d := diff.Difference{Difference: term.FieldAdded, Kind: kind, Path: path}
		return sweep.Row{ID: id, Difference: d, Outcome: sweep.Outcome{Verdict: v}}
	}
	return []sweep.Row{
		row("a", "Pod", ".spec.a", term.FateLostByOld), row("b", "Pod", ".spec.a.b", term.FateFrozen), row("c", "Set", ".spec.ab", term.FateDormant),
	}
}

const who = ", owner: sig-x, why: known}\n"

// TestApply: which rows a line accepts, by their IDs.
func TestApply(t *testing.T) {
	for line, want := range map[string][]string{
		"{id: a, until: 2026-11-23" + who:                                      {"a"},
		"{kind: Pod, until: 2026-12-01" + who:                                  {"a", "b"},
		"{path: .spec.a, until: 2026-12-01" + who:                              {"a", "b"},
		"{path: .spec.a, verdict: lost-by-old-server, until: 2026-12-01" + who: {"a"},
		"{difference: field-added, kind: Set, until: 2026-12-01" + who:         {"c"},
		"{id: a, until: 2026-11-22" + who:                                      nil,
	} {
		list, err := allow.Parse("allow.yaml", []byte("allow:\n- "+line))
		require.NoError(t, err, line)
		all := rows()
		report := list.Apply(all, today)
		var got []string
		for _, r := range all {
			if r.Accepted == "sig-x" {
				got = append(got, r.ID)
			}
		}
		assert.Equal(t, want, got, line)
		assert.Equal(t, want == nil, report.Err("allow.yaml") != nil, "an expired line fails: "+line)
	}
}

// TestUnused: a line that accepts nothing any more is reported, and fails nothing.
func TestUnused(t *testing.T) {
	list, err := allow.Parse("allow.yaml", []byte("allow:\n- {id: gone, until: 2027-01-01"+who+"- {id: a, issue: 'https://example.com/1', until: 2027-01-01"+who))
	require.NoError(t, err)
	all := rows()
	report := list.Apply(all, today)
	require.NoError(t, report.Err("allow.yaml"))
	require.Len(t, report.Unused, 1)
	assert.Equal(t, "gone", report.Unused[0].ID)
	assert.Equal(t, 2, report.Unused[0].Line)
	assert.Equal(t, "https://example.com/1", all[0].Known)
}

// TestMistakes: each mistake in a file is found at its line.
func TestMistakes(t *testing.T) {
	for text, paths := range map[string][]string{
		"allow:\n- {id: a}\n": {"allow[0]", "allow[0]", "allow[0]"},
		"allow:\n- {id: a, until: 2027-01-01, owner: ' ', why: known}\n": {"allow[0].owner"},
		"allow:\n- {until: 2027-01-01" + who:                             {"allow[0]"},
		"allow:\n- {id: a, until: soon" + who:                            {"allow[0].until"},
		"allow:\n- {id: a, verdict: lost, until: 2027-01-01" + who:       {"allow[0].verdict"},
		"allow:\n- {difference: field, until: 2027-01-01" + who:          {"allow[0].difference"},
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
