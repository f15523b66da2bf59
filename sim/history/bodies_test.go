package history_test

import (
	"fmt"
	"io"
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

// TestBodiesStay: bodies are read back whatever became of the history's file after it was loaded.
func TestBodiesStay(t *testing.T) {
	wanted := history.Digest([]byte(gadget))
	for name, change := range map[string]func(file string) error{
		"unchanged":   func(string) error { return nil },
		"cut":         func(file string) error { return os.Truncate(file, 20) },
		"removed":     os.Remove,
		"another run": func(file string) error { return os.WriteFile(file, []byte("{}\n"), 0o600) },
	} {
		dir, want := bodied(t)
		h := load(t, dir)
		require.NoError(t, change(filepath.Join(dir, history.FileName)), name)
		assert.Equal(t, want.Body(wanted), h.Body(wanted), name)
		assert.NoError(t, h.Err(), name)
	}
}

// TestBodyThatCannotBeReadBack: a body that cannot be read back is an error that names it, and never another body.
func TestBodyThatCannotBeReadBack(t *testing.T) {
	dir, _ := bodied(t)
	h := load(t, dir)
	wanted := history.Digest([]byte(gadget))
	require.NoError(t, h.LoseBodies())
	assert.NoError(t, h.Err(), "nothing was asked for yet")
	assert.True(t, h.HasObject(wanted))
	assert.Nil(t, h.Object(wanted))
	assert.Zero(t, h.Body(wanted))
	var broken *history.BodyError
	require.ErrorAs(t, h.Err(), &broken)
	assert.Equal(t, dir, broken.Dir)
	assert.Equal(t, wanted, broken.Digest)
	assert.ErrorIs(t, h.Err(), io.EOF)
}

// TestBodiesOfADirectoryForReading: bodies of a directory that cannot be written go elsewhere, and nothing is left.
func TestBodiesOfADirectoryForReading(t *testing.T) {
	dir, want := bodied(t)
	t.Setenv("TMPDIR", t.TempDir())
	require.NoError(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	wanted := history.Digest([]byte(gadget))
	assert.Equal(t, want.Body(wanted), load(t, dir).Body(wanted))
	for _, place := range []string{dir, os.TempDir()} {
		entries, err := os.ReadDir(place)
		require.NoError(t, err)
		for _, e := range entries {
			assert.NotContains(t, e.Name(), "bodies", place)
		}
	}
}

// TestBodiesOfAFullDisk: bodies move to the next place when theirs is full, those that were written before too. Where
// no place has the room, the error names each.
func TestBodiesOfAFullDisk(t *testing.T) {
	w, dir := create(t)
	for i := range 30 { // some buffers full
		_, err := w.Body(fmt.Appendf(nil, `{"i":%d,"x":%q}`, i, strings.Repeat("x", 10_000)))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	want, err := decode(read(t, dir))
	require.NoError(t, err)
	for _, sizes := range [][]int{{1 << 20}, {0, 1 << 20}, {200_000, 1 << 20}, {200_000, 100_000, 1 << 20}, {100_000, 250_000, 1 << 20}} {
		h, err := history.LoadInto(dir, sizes...)
		require.NoError(t, err, sizes)
		for digest, body := range want.Blobs {
			assert.Equal(t, body, h.Body(digest), sizes)
		}
		assert.NoError(t, h.Err())
	}
	for _, sizes := range [][]int{{200_000}, {100_000, 200_000}, {290_000}} { // the last: found out by the last flush
		h, err := history.LoadInto(dir, sizes...)
		assert.Nil(t, h)
		require.ErrorContains(t, err, "history: no room for more than 0 MiB of bodies")
		assert.Equal(t, len(sizes), strings.Count(err.Error(), "memory: "), err)
	}
}

// TestBodiesWithoutDisk: where no file can be created, bodies are in memory.
func TestBodiesWithoutDisk(t *testing.T) {
	dir, want := bodied(t)
	missing := filepath.Join(dir, "missing")
	t.Setenv("TMPDIR", missing)
	h, err := history.LoadBodiesIn(dir, missing)
	require.NoError(t, err)
	wanted := history.Digest([]byte(gadget))
	assert.Equal(t, want.Body(wanted), h.Body(wanted))
}
