package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestNoRunDirectory: a command on one run says what the given directory is instead: missing,
// a matrix's, or one that holds runs; and names what to give.
func TestNoRunDirectory(t *testing.T) {
	at := t.TempDir()
	missing, ofMatrix, several, begun, empty := filepath.Join(at, "nosuch"), filepath.Join(at, "matrix"), filepath.Join(at, "out"), filepath.Join(at, "begun"), filepath.Join(at, "empty")
	write := func(parts ...string) string {
		name := filepath.Join(parts...)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		return filepath.Dir(name)
	}
	write(ofMatrix, matrix.FileName)
	cell := write(ofMatrix, "pair", "one", rundir.Marker)
	run := write(several, "one", rundir.Marker)
	write(begun, matrix.FileName)
	require.NoError(t, os.Mkdir(empty, 0o700))
	for _, command := range []string{"judge", "report", "expect"} {
		for dir, want := range map[string][]string{
			missing:  {missing + ": no such directory"},
			ofMatrix: {"is the directory of a matrix", "(" + cell + ")", "skewsim report merge " + ofMatrix},
			several:  {"holds runs", "(" + run + ")", "skewsim report merge " + several},
			begun:    {"is the directory of a matrix", "skewsim report merge " + begun},
		} {
			_, said, code := ran(t, command, dir)
			assert.Equal(t, ExitUsage, code, said)
			for _, text := range want {
				assert.Contains(t, said, text, "%s %s", command, dir)
			}
		}
		_, said, code := ran(t, command, empty)
		assert.NotEqual(t, ExitExpected, code)
		assert.NotContains(t, said, "merge", "it holds no runs")
		_, said, _ = ran(t, command, run)
		assert.NotContains(t, said, "merge", "it is a run's")
	}
	_, said, _ := ran(t, "report", "merge", ofMatrix, "-o", filepath.Join(at, "merged"))
	assert.NotContains(t, said, "is the directory of a matrix", "merge takes it")
}
