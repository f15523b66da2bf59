package history_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// file returns the bytes of a history's file.
func file(t testing.TB, dir string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, history.FileName))
	require.NoError(t, err)
	return raw
}

// TestKilledAfterEachRecord: whatever was recorded before a kill is read, with no damage: the file needs
// no end.
func TestKilledAfterEachRecord(t *testing.T) {
	w, dir := create(t)
	for i := range 1500 { // some frames
		_, err := w.Body(fmt.Appendf(nil, `{"i":%d,"x":%q}`, i, strings.Repeat("x", i)))
		require.NoError(t, err)
		require.NoError(t, w.Write(history.Record{Skip: &history.Skip{Step: i}}))
		if i%100 > 0 {
			continue
		}
		h, err := history.Decode(bytes.NewReader(file(t, dir)))
		require.NoError(t, err)
		assert.Empty(t, h.Damage)
		assert.Len(t, h.Blobs, i+1)
		assert.Equal(t, 2*i+3, strings.Count(read(t, dir), "\n"))
		assert.Nil(t, h.End)
	}
}

// TestFileCutAtEveryByte: of a file that is cut anywhere, all records are read that stand before the cut,
// and a cut within a record is reported.
func TestFileCutAtEveryByte(t *testing.T) {
	w, dir := create(t)
	recorded := map[int]int{len(file(t, dir)): 1} // size of the file: lines
	for i, r := range records() {
		require.NoError(t, w.Write(r))
		recorded[len(file(t, dir))] = i + 2
	}
	raw, lines := file(t, dir), 0
	for size := range len(raw) {
		n, whole := recorded[size]
		lines = max(lines, n)
		h, err := history.Decode(bytes.NewReader(raw[:size]))
		if lines == 0 {
			assert.ErrorContains(t, err, "its first line is no header")
			continue
		}
		require.NoError(t, err, size)
		missing := strings.Join(h.Damage, "\n")
		assert.Equal(t, !whole, strings.Contains(missing, fmt.Sprintf("line %d: cut short or damaged: ", lines+1)), "%d: %s", size, missing)
		assert.False(t, h.Complete())
	}
	assert.Equal(t, len(records()), lines, "all but the last record")
}

// TestDamagedFrame: a damaged byte is reported, costs lines of its own frame only, and never makes up a line.
func TestDamagedFrame(t *testing.T) {
	w, dir := create(t)
	for i := range 40 {
		require.NoError(t, w.Write(history.Record{Skip: &history.Skip{Step: i, Reason: strings.Repeat(fmt.Sprint(i, "x"), 10_000)}}))
	}
	require.NoError(t, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	require.NoError(t, w.Close())
	raw := file(t, dir)
	whole, err := history.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	require.True(t, whole.Complete())
	second := bytes.Index(raw[1:], raw[:4]) + 1
	third := second + 1 + bytes.Index(raw[second+1:], raw[:4])
	require.Greater(t, third, second)
	unaffected := 0
	for at := second; at < third; at += 1 + (at-second)/10 { // its beginning, and some bytes of its blocks
		bent := bytes.Clone(raw)
		bent[at] ^= 0x10
		h, err := history.Decode(bytes.NewReader(bent))
		require.NoError(t, err)
		assert.NotNil(t, h.End, "the frames behind it are read: %d", at)
		if h.Complete() { // the byte was about the window
			assert.Equal(t, whole.Skips, h.Skips)
			unaffected++
		}
		assert.Equal(t, whole.Skips[:10], h.Skips[:10], "the frame before it is read")
	}
	assert.LessOrEqual(t, unaffected, 2)
}

// TestDamagedLastFrame: a damaged byte of the last frame is not taken for a kill alone, wherever its length points.
func TestDamagedLastFrame(t *testing.T) {
	w, dir := create(t)
	header := len(file(t, dir))
	require.NoError(t, w.Write(history.Record{Skip: &history.Skip{Step: 1}}))
	require.NoError(t, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	require.NoError(t, w.Close())
	raw := file(t, dir)
	for at := header; at < len(raw); at++ {
		bent := bytes.Clone(raw)
		bent[at] ^= 0x10
		h, err := history.Decode(bytes.NewReader(bent))
		require.NoError(t, err)
		assert.False(t, h.Complete(), at)
		assert.Contains(t, strings.Join(h.Damage, "\n"), "damaged: ", at)
	}
}

// TestPlainHistories: a history that is not compressed is read, of the first version and unpacked, and a
// compressed one stands before it.
func TestPlainHistories(t *testing.T) {
	text := written(t)
	dir := t.TempDir()
	plain := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, history.PlainFileName), []byte(text), 0o600))
	}
	plain(text)
	h := load(t, dir)
	assert.True(t, h.Complete())
	assert.Equal(t, int64(len(text)), h.Size)
	assert.True(t, h.HasObject(history.Digest([]byte(gadget))))

	plain(strings.Replace(text, "history/v2", "history/v1", 1))
	h, err := history.Load(dir)
	require.NoError(t, err)
	assert.Equal(t, "skewsim.dev/history/v1", h.Header.SchemaVersion)
	assert.Len(t, h.Damage, 1, "the version was changed, which the digest of the end shows")

	plain("{}\n")
	w, err := history.Create(dir, header())
	require.NoError(t, err)
	require.NoError(t, w.Close())
	load(t, dir)
}

// FuzzFrames holds that no bytes within or behind a frame make a history panic, or complete without its lines.
func FuzzFrames(f *testing.F) {
	w, dir := create(f)
	require.NoError(f, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	require.NoError(f, w.Close())
	raw := file(f, dir)
	f.Add(0, 4, []byte{})
	f.Add(6, 3, []byte{0xff, 0xff, 0xff})
	f.Add(len(raw), 0, raw)
	f.Add(len(raw)-4, 4, []byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, at, size int, by []byte) {
		at = max(0, min(at, len(raw)))
		size = max(0, min(size, len(raw)-at))
		bent := append(append(bytes.Clone(raw[:at]), by...), raw[at+size:]...)
		h, err := history.Decode(bytes.NewReader(bent))
		if err == nil && h.Complete() {
			assert.Equal(t, "s", h.Header.Salt)
		}
	})
}
