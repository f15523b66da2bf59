package play

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
)

func written(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	return file
}

func result(all ...preflight.Finding) preflight.Result {
	return preflight.Result{SchemaVersion: preflight.SchemaVersion, Hops: []preflight.Hop{{
		From: preflight.Build{Version: "v1.36.3"}, To: preflight.Build{Version: "v1.37.2"}, Findings: all, Kinds: []preflight.Kind{{Kind: "A", Objects: 9}},
		Phases: []preflight.Phase{{Name: preflight.PhaseAlone}, {Name: preflight.PhaseWritten}},
	}}}
}

// TestHold: what is accepted or known fails nothing; what is new, and what a line accepted until
// yesterday, does.
func TestHold(t *testing.T) {
	find := func(kind, name string) preflight.Finding {
		return preflight.Finding{Outcome: term.Frozen, Direction: preflight.Up, Kind: kind, Name: name, Path: ".spec.a"}
	}
	before, err := json.Marshal(result(find("Known", "x")))
	require.NoError(t, err)
	lines := "allow:\n- {class: frozen, kind: Accepted, owner: team-a, until: 2026-11-23, why: known}\n- {class: lost, owner: team-a, until: 2027-01-01, why: gone}\n"
	for name, missing := range map[string]bool{written(t, "text.db", "hello"): false, filepath.Join(t.TempDir(), "none"): true} {
		_, err := Read(name)
		require.Error(t, err)
		assert.NotErrorIs(t, err, syscall.ENOTDIR, "a file is no directory with something missing in it")
		assert.Equal(t, missing, errors.Is(err, fs.ErrNotExist), name)
	}
	h := Held{Allow: written(t, "allow.yaml", lines), Baseline: written(t, "preflight.json", string(before))}
	require.NoError(t, h.Read())
	day := time.Date(2026, 11, 23, 23, 0, 0, 0, time.UTC)

	r := result(find("Known", "x"), find("Accepted", "x"))
	require.NoError(t, h.Hold(&r, day))
	assert.Empty(t, r.Failing(preflight.Up))
	assert.Equal(t, preflight.Blocked, r.Hops[0].Up, "a known finding is a finding")
	assert.Equal(t, "2026-11-23", r.Hops[0].Findings[1].Until)
	assert.Equal(t, 1, r.Since.New)
	assert.Len(t, r.Notes, 1, "a line that accepts nothing")

	r = result(find("Accepted", "x"))
	require.NoError(t, h.Hold(&r, day))
	assert.Equal(t, preflight.Ready, r.Hops[0].Up)
	assert.Equal(t, 1, r.Since.Gone)

	r = result()
	unknown := find("Accepted", "x")
	unknown.Outcome = term.Indeterminate
	r.Hops[0].Baseline = []preflight.Finding{unknown}
	for class, want := range []preflight.Grade{preflight.Unknown, preflight.Ready} {
		held := Held{Allow: written(t, "allow.yaml", "allow:\n- {class: "+[]string{"frozen", "indeterminate"}[class]+", kind: Accepted, owner: team-a, until: 2027-01-01, why: known}\n")}
		require.NoError(t, held.Read())
		require.NoError(t, held.Hold(&r, day))
		assert.Equal(t, want, r.Hops[0].Up, "what the first release does not show is accepted as a finding is")
	}

	r = result(find("Known", "x"), find("Known", "y"), find("Accepted", "x"))
	err = h.Hold(&r, day.Add(24*time.Hour))
	assert.Equal(t, fault.Verdict, fault.Of(err).Kind)
	assert.Len(t, r.Failing(preflight.Up), 2, "a new one, and one that nobody accepts any more")
}

// TestRead: a directory or its file; what is no preflight, or one of another format, is the user's mistake.
func TestRead(t *testing.T) {
	good, err := json.Marshal(result())
	require.NoError(t, err)
	file := written(t, "preflight.json", string(good))
	for _, name := range []string{file, filepath.Dir(file)} {
		r, err := Read(name)
		require.NoError(t, err)
		assert.Len(t, r.Hops, 1)
	}
	for _, content := range []string{"hello", "[]", `{"schemaVersion": "skewsim.dev/preflight/v0"}`, "{}"} {
		h := Held{Baseline: written(t, "preflight.json", content)}
		assert.True(t, fault.Is(h.Read(), fault.User), content)
	}
	h := Held{Allow: written(t, "allow.yaml", "allow:\n- {class: frosen, owner: a, until: 2027-01-01, why: b}\n")}
	assert.True(t, fault.Is(h.Read(), fault.User), "a class that preflights do not have")
}
