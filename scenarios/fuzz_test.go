package scenarios_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// FuzzLoad holds that no file makes Load panic, and that what it refuses has
// its problems in order, each with a file and a text.
func FuzzLoad(f *testing.F) {
	scenarioFiles, err := filepath.Glob("testdata/*valid-*.yaml")
	require.NoError(f, err)
	objectFiles, err := filepath.Glob("testdata/objects/*")
	require.NoError(f, err)
	for _, file := range scenarioFiles {
		f.Add(read(f, file), []byte(configMap))
	}
	for _, file := range objectFiles {
		f.Add([]byte(listed), read(f, file))
	}
	f.Fuzz(func(t *testing.T, scenario, object []byte) {
		files := fstest.MapFS{
			"s.yaml": {Data: scenario}, "o.yaml": {Data: object}, "objects/configmap.yaml": {Data: object},
		}
		s, err := load.FS(files, "s.yaml")
		if err == nil {
			require.NotEmpty(t, s.Manifests)
			return
		}
		var all strict.Errors
		require.True(t, errors.As(err, &all))
		for i, p := range all {
			require.NotEmpty(t, p.File)
			require.NotEmpty(t, p.Text)
			ordered := i == 0 || all[i-1].File != p.File || all[i-1].Line <= p.Line
			require.True(t, ordered, "%v", err)
		}
	})
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}
