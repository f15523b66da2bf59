package play

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestDirectories: a directory that cannot be made is the user's error, which names it, and nothing is reported:
// that of the reports, and that of temporary files. A file in its place keeps everybody from making it.
func TestDirectories(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	host := Host{
		Build: func(_ context.Context, ref servers.Reference) (servers.Build, error) {
			return servers.Build{Version: ref.Version}, nil
		},
		Temporary: func(string) {}, Opened: func() {},
		Report: func(string, preflight.Result) error { t.Error("a report was written"); return nil },
	}
	releases, err := Releases("v1.36", "v1.37")
	require.NoError(t, err)
	for name, c := range map[string]struct{ out, temporary, says string }{
		"a file":        {file, t.TempDir(), file},
		"below a file":  {filepath.Join(file, "out"), t.TempDir(), file},
		"bad TMPDIR":    {t.TempDir(), file, "TMPDIR"},
		"absent TMPDIR": {t.TempDir(), filepath.Join(file, "none"), "TMPDIR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", c.temporary)
			result, err := Run(t.Context(), host, nil, Request{Releases: releases, Dir: c.out})
			require.Error(t, err)
			assert.True(t, fault.Is(err, fault.User), "%v", err)
			assert.Contains(t, err.Error(), c.says)
			assert.False(t, result.Said())
		})
	}
}
