package history_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// bodied is a run directory with some bodies, and the history that its file holds.
func bodied(t *testing.T) (dir string, inMemory *history.History) {
	t.Helper()
	w, dir := create(t)
	for _, body := range []string{gadget, `[1,2]`, `{"kind":"Gadget","spec":{"size":7}}`, "no JSON", "\x00\x01"} {
		_, err := w.Body([]byte(body))
		require.NoError(t, err)
	}
	for _, stored := range []string{gadget, "k8s\x00\n\x02v1", ""} { // the first is a body too
		_, err := w.Bytes([]byte(stored))
		require.NoError(t, err)
	}
	require.NoError(t, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	require.NoError(t, w.Close())
	h, err := decode(read(t, dir))
	require.NoError(t, err)
	return dir, h
}

func load(t *testing.T, dir string) *history.History {
	t.Helper()
	h, err := history.Load(dir)
	require.NoError(t, err)
	require.Empty(t, h.Damage)
	return h
}

// TestBodiesOfAFile holds that a history whose bodies stay in its file says of each what one
// in memory says, whoever asks at a time.
func TestBodiesOfAFile(t *testing.T) {
	dir, want := bodied(t)
	h := load(t, dir)
	assert.Empty(t, h.Blobs, "they are in the file")
	digests := slices.Sorted(want.Digests())
	assert.Len(t, digests, 7)
	assert.Equal(t, digests, slices.Sorted(h.Digests()))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, digest := range append(digests, "unknown", "") {
				assert.Equal(t, want.Body(digest), h.Body(digest))
				assert.Equal(t, want.Holds(digest), h.Holds(digest))
				assert.Equal(t, want.Object(digest), h.Object(digest))
				assert.Equal(t, want.HasObject(digest), h.HasObject(digest))
				assert.Equal(t, want.StoredObject(digest), h.StoredObject(digest))
				assert.Equal(t, want.HasStoredObject(digest), h.HasStoredObject(digest))
			}
		})
	}
	all.Wait()
	assert.NoError(t, h.Err())
}

// TestBodyThatCannotBeReadBack holds that a file which is cut, changed or removed after the
// history was loaded gives an error that names it, and never another body.
func TestBodyThatCannotBeReadBack(t *testing.T) {
	wanted := history.Digest([]byte(gadget))
	for name, c := range map[string]struct {
		change func(t *testing.T, file string, raw []byte)
		broken bool
		is     error
	}{
		"cut":     {func(t *testing.T, file string, _ []byte) { require.NoError(t, os.Truncate(file, 200)) }, true, nil},
		"removed": {func(t *testing.T, file string, _ []byte) { require.NoError(t, os.Remove(file)) }, true, fs.ErrNotExist},
		"a value": {rewritten(`{"kind":"Gadget"}`, `{"kind":"Widget"}`), true, nil},
		"moved":   {rewritten(`{"n":1,`, `{"n":            1,`), true, nil},
		"another run": {func(t *testing.T, file string, raw []byte) {
			overwrite(t, file, bytes.Repeat([]byte(`{"n":1}`+"\n"), len(raw)))
		}, true, nil},
		"unchanged": {func(*testing.T, string, []byte) {}, false, nil},
		"longer":    {func(t *testing.T, file string, raw []byte) { overwrite(t, file, append(raw, "{}\n"...)) }, false, nil},
		"read-only": {func(t *testing.T, file string, _ []byte) { require.NoError(t, os.Chmod(file, 0o400)) }, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := bodied(t)
			h := load(t, dir)
			file := filepath.Join(dir, history.FileName)
			c.change(t, file, []byte(read(t, dir)))
			if !c.broken {
				assert.Equal(t, want.Body(wanted), h.Body(wanted))
				assert.NoError(t, h.Err())
				return
			}
			assert.NoError(t, h.Err(), "nothing was asked for yet")
			assert.True(t, h.HasObject(wanted))
			assert.Nil(t, h.Object(wanted))
			assert.Zero(t, h.Body(wanted))
			var broken *history.BodyError
			require.ErrorAs(t, h.Err(), &broken)
			assert.Equal(t, file, broken.File)
			assert.Equal(t, wanted, broken.Digest)
			if c.is != nil {
				assert.ErrorIs(t, h.Err(), c.is)
			}
		})
	}
}

func rewritten(old, other string) func(*testing.T, string, []byte) {
	return func(t *testing.T, file string, raw []byte) {
		changed := strings.ReplaceAll(string(raw), old, other)
		require.NotEqual(t, string(raw), changed)
		overwrite(t, file, []byte(changed))
	}
}

func overwrite(t *testing.T, file string, content []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, content, 0o600))
}
