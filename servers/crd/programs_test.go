package crd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestProgramsOfReleases: the release that was rolled out last answers. While it has no program,
// nobody does, and the error says why.
func TestProgramsOfReleases(t *testing.T) {
	without := func(digest, version string) servers.Build {
		return servers.Build{Digest: digest, Version: version, Installs: &servers.Installation{Program: &servers.Program{}}}
	}
	old, newer := without("a", "v1"), without("b", "v2")
	p := newPrograms(t.TempDir(), t.TempDir(), nil)
	defer p.close()
	asks := func() string {
		_, err := p.Convert(t.Context(), nil)
		require.ErrorIs(t, err, errNobody)
		return err.Error()
	}
	assert.Equal(t, "nobody converts: no program runs", asks())
	for _, b := range []servers.Build{old, old, newer} {
		require.NoError(t, p.join(t.Context(), b, "a-1", servers.Endpoint{}))
	}
	assert.Contains(t, asks(), "release v2 has none")
	require.NoError(t, p.join(t.Context(), old, "a-2", servers.Endpoint{}), "a rollback of one replica")
	assert.Contains(t, asks(), "release v1 has none")
	for range 3 {
		p.leave(old)
	}
	assert.Contains(t, asks(), "release v2 has none")
	p.leave(newer)
	assert.Equal(t, "nobody converts: no program runs", asks())
}

// TestChosenProgram: once a program is chosen, servers that join or leave change nothing; without one nobody answers, and
// a release of which no server runs can answer.
func TestChosenProgram(t *testing.T) {
	without := func(digest, version string) servers.Build {
		return servers.Build{Digest: digest, Version: version, Installs: &servers.Installation{Program: &servers.Program{}}}
	}
	old, newer := without("a", "v1"), without("b", "v2")
	p := newPrograms(t.TempDir(), t.TempDir(), nil)
	defer p.close()
	answers := func(version string) {
		t.Helper()
		_, err := p.Convert(t.Context(), nil)
		require.ErrorIs(t, err, errNobody)
		if version != "" {
			assert.Contains(t, err.Error(), "release "+version+" has none")
		} else {
			assert.Contains(t, err.Error(), "no program runs")
		}
	}
	require.NoError(t, p.join(t.Context(), old, "a-1", servers.Endpoint{}))
	require.NoError(t, p.choose(t.Context(), &old))
	require.NoError(t, p.join(t.Context(), newer, "a-2", servers.Endpoint{}))
	p.leave(old)
	answers("v1")
	require.NoError(t, p.choose(t.Context(), nil))
	answers("")
	require.NoError(t, p.choose(t.Context(), &newer))
	answers("v2")
	require.NoError(t, p.choose(t.Context(), &old), "no server of it runs")
	answers("v1")
	require.NoError(t, p.join(t.Context(), old, "a-3", servers.Endpoint{}))
	p.leave(newer)
	answers("v1")
	p.leave(old)
	answers("v1")
}
