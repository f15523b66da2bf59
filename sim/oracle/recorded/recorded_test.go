package recorded_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/recorded"
)

const archive = "../testdata/histories"

// The limits of what the repository holds.
const (
	maxHistory = 25_000    // bytes, compressed
	maxArchive = 3_000_000 // bytes on disk, with schemas and index
)

func open(t *testing.T) *recorded.Archive {
	t.Helper()
	a, err := recorded.Open(archive)
	require.NoError(t, err)
	require.NotEmpty(t, a.Entries)
	return a
}

func unzipped(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

func zipped(t *testing.T, name, text string) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
}

// TestArchiveIsSmall holds each history, and all of them, to what a repository can carry.
func TestArchiveIsSmall(t *testing.T) {
	total := int64(0)
	require.NoError(t, filepath.WalkDir(archive, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		total += info.Size()
		if strings.HasSuffix(name, ".jsonl.gz") {
			assert.LessOrEqual(t, info.Size(), int64(maxHistory), name)
		}
		return err
	}))
	assert.LessOrEqual(t, total, int64(maxArchive))
}

// TestArchiveIsClean: no history holds a time of its records, an address, or a directory
// of the machine that recorded it.
func TestArchiveIsClean(t *testing.T) {
	for _, e := range open(t).Entries {
		text := unzipped(t, filepath.Join(archive, e.Name+".jsonl.gz"))
		for _, foreign := range []string{"127.0.0.1:", "localhost:", `"/tmp/`, `"/home/`, `"/root/`, "logs/", "Bearer "} {
			assert.False(t, strings.Contains(text, foreign), "%s holds %s", e.Name, foreign)
		}
		h, err := history.Decode(strings.NewReader(text))
		require.NoError(t, err)
		assert.Empty(t, h.Damage, e.Name)
		assert.True(t, h.Header.Started.IsZero(), e.Name)
		assert.Zero(t, h.Seconds, e.Name)
		for _, op := range h.Operations {
			assert.Zero(t, op.Exchange.Seconds, e.Name)
		}
	}
}

// TestTrimmedAgain: trimmed to the copies that it has, and cleaned, a recorded history
// stays as it is; trimmed to none, it holds nothing that is about a copy.
func TestTrimmedAgain(t *testing.T) {
	a := open(t)
	f, err := a.Read(a.Entries[0].Name)
	require.NoError(t, err)
	var copies []string
	for _, c := range f.History.Header.Plan.Copies {
		copies = append(copies, c.Name)
	}
	whole := recorded.Trim(recorded.Clean(f.History), copies)
	assert.Equal(t, len(f.History.Operations), len(whole.Operations))
	assert.Equal(t, f.History.Blobs, whole.Blobs)
	assert.Equal(t, f.History.Changes, whole.Changes)
	assert.Equal(t, f.History.Header, whole.Header)

	none := recorded.Trim(f.History, nil)
	assert.Empty(t, none.Header.Plan.Copies)
	assert.Empty(t, none.Changes)
	for _, op := range none.Operations {
		assert.Empty(t, op.Copy)
	}
	for _, l := range none.Listings {
		assert.Empty(t, l.Items)
	}
	assert.NotEmpty(t, f.History.Header.Plan.Copies, "the given history stays as it is")
	assert.NotEmpty(t, f.History.Changes)
}

// TestCleanHidesAddresses: the texts of errors name no port.
func TestCleanHidesAddresses(t *testing.T) {
	h := &history.History{
		Operations: []history.Operation{{At: 3, Exchange: history.Exchange{Seconds: 2, Error: `Get "https://127.0.0.1:4711/x": EOF`}}},
		Trials:     []history.Trial{{Seconds: 1, Log: "logs/x.log", Message: "dial [::1]:80"}},
	}
	c := recorded.Clean(h)
	assert.Equal(t, history.Exchange{Error: `Get "https://server/x": EOF`}, c.Operations[0].Exchange)
	assert.Zero(t, c.Operations[0].At)
	assert.Equal(t, history.Trial{Message: "dial server"}, c.Trials[0])
	assert.Contains(t, h.Operations[0].Exchange.Error, "4711", "the given history stays as it is")
}

// TestOtherVersions: a history of another version of the format is refused by an error
// that names both versions. It is a recorded history with another version written into it;
// that of sim/oracle/testdata/recorded is of an earlier version of skewsim, with the same
// version of the format.
func TestOtherVersions(t *testing.T) {
	a := open(t)
	name := a.Entries[0].Name
	text := unzipped(t, filepath.Join(archive, name+".jsonl.gz"))
	for _, other := range []string{"skewsim.dev/history/v0", "skewsim.dev/history/v3", "skewsim.dev/history/v1beta1"} {
		dir := t.TempDir()
		changed := regexp.MustCompile(`"skewsim.dev/history/v[12]"`).ReplaceAllString(text, `"`+other+`"`)
		require.NotEqual(t, text, changed)
		zipped(t, filepath.Join(dir, name+".jsonl.gz"), changed)
		elsewhere, err := recorded.Open(dir)
		require.NoError(t, err)
		_, err = elsewhere.Read(name)
		assert.ErrorContains(t, err, other)
		assert.ErrorContains(t, err, history.SchemaVersion)
	}
}

// TestMatch: a pattern selects runs by their names, and one that selects none is refused.
func TestMatch(t *testing.T) {
	some, err := recorded.Match([]string{"add-field+re*", "chain-back"})
	require.NoError(t, err)
	var names []string
	for _, r := range some {
		names = append(names, r.Name)
	}
	assert.Equal(t, []string{"add-field+refuses", "add-field+required", "add-field+rewrites", "chain-back"}, names)
	assert.Equal(t, filepath.Join("out", "legs", "03-1.1..1.2-back"), some[3].Dir("out"))
	assert.Equal(t, "out", some[0].Dir("out"))
	_, err = recorded.Match([]string{"nothing"})
	assert.Error(t, err)
	_, err = recorded.Match([]string{"["})
	assert.Error(t, err)
}
