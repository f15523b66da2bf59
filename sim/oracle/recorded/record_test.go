package recorded_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/recorded"
)

// runDir is a run directory with a history of the archive, changed by edit.
func runDir(t *testing.T, name string, edit func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	text := edit(unzipped(t, filepath.Join(archive, name+".jsonl.gz")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, history.FileName), []byte(text), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "schemas"), 0o700))
	h, err := history.Load(dir)
	require.NoError(t, err)
	for _, release := range h.Releases {
		for _, file := range release.Schemas {
			schema := unzipped(t, filepath.Join(archive, "schemas", file+".gz"))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "schemas", file), []byte(schema), 0o600))
		}
	}
	return dir
}

func asItIs(text string) string { return text }

// TestRecordedAgain: recorded from itself, a history of a mutant is still caught by the
// same check, one of right releases shows the same, and no copy is new.
func TestRecordedAgain(t *testing.T) {
	was := open(t)
	again, err := recorded.Open(t.TempDir())
	require.NoError(t, err)
	for _, name := range []string{"add-field+required", "protobuf"} {
		require.NoError(t, again.Record(name, runDir(t, name, asItIs)))
		i := slices.IndexFunc(was.Entries, func(e recorded.Entry) bool { return e.Name == name })
		j := slices.IndexFunc(again.Entries, func(e recorded.Entry) bool { return e.Name == name })
		assert.Equal(t, was.Entries[i].Caught, again.Entries[j].Caught)
		assert.Equal(t, was.Entries[i].Verdict, again.Entries[j].Verdict)
		if was.Entries[i].Caught == "" {
			assert.Equal(t, was.Entries[i], again.Entries[j])
		}
		before, err := was.Read(name)
		require.NoError(t, err)
		after, err := again.Read(name)
		require.NoError(t, err)
		assert.Subset(t, before.History.Header.Plan.Copies, after.History.Header.Plan.Copies)
	}
	unused, err := again.Unused()
	require.NoError(t, err)
	assert.Empty(t, unused)
}

// uncaught is a history of a mutant that rule 1 catches, and rule 4 should.
func uncaught(text string) string {
	return strings.Replace(text, `"check":"`+string(term.CheckRule1)+`"`, `"check":"`+string(term.CheckRule4)+`"`, 1)
}

// failing is a history of right releases in which a LIST fails.
func failing(text string) string {
	before, listings, _ := strings.Cut(text, `"listing":`)
	return before + `"listing":` + strings.Replace(listings, `"code":200`, `"code":500`, 1)
}

// TestNotRecorded: a mutant that is not caught, right releases that do not pass, a history
// that is cut, and a directory without one are refused, and leave no entry.
func TestNotRecorded(t *testing.T) {
	const name = "add-field+required"
	a, err := recorded.Open(t.TempDir())
	require.NoError(t, err)
	lines := func(text string) []string { return strings.SplitAfter(text, "\n") }
	for what, dir := range map[string]string{
		"not caught": runDir(t, name, uncaught),
		"not passed": runDir(t, "protobuf", failing),
		"cut":        runDir(t, name, func(text string) string { return strings.Join(lines(text)[:len(lines(text))-2], "") }),
		"no history": t.TempDir(),
	} {
		assert.Error(t, a.Record(name, dir), what)
	}
	assert.Empty(t, a.Entries)
}

// TestUnusedIsRemoved: a history and a schema that the index does not lead to are removed.
func TestUnusedIsRemoved(t *testing.T) {
	dir := t.TempDir()
	a, err := recorded.Open(dir)
	require.NoError(t, err)
	require.NoError(t, a.Record("protobuf", runDir(t, "protobuf", asItIs)))
	zipped(t, filepath.Join(dir, "other.jsonl.gz"), "x")
	zipped(t, filepath.Join(dir, "schemas", "other.json.gz"), "x")
	unused, err := a.Unused()
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"other.jsonl.gz", filepath.Join("schemas", "other.json.gz")}, unused)
	require.NoError(t, a.RemoveUnused())
	unused, err = a.Unused()
	require.NoError(t, err)
	assert.Empty(t, unused)
	require.NoError(t, a.Judge())
	again, err := recorded.Open(dir)
	require.NoError(t, err)
	assert.Equal(t, a.Entries, again.Entries)
}

// TestNotJudged: the index stays as it is where right releases do not pass, or a mutant is
// not caught.
func TestNotJudged(t *testing.T) {
	for name, edit := range map[string]func(string) string{"protobuf": failing, "add-field+required": uncaught} {
		dir := t.TempDir()
		a, err := recorded.Open(dir)
		require.NoError(t, err)
		require.NoError(t, a.Record(name, runDir(t, name, asItIs)))
		was, err := recorded.Open(dir)
		require.NoError(t, err)
		file := filepath.Join(dir, name+".jsonl.gz")
		zipped(t, file, edit(unzipped(t, file)))
		assert.Error(t, a.Judge(), name)
		is, err := recorded.Open(dir)
		require.NoError(t, err)
		assert.Equal(t, was.Entries, is.Entries)
	}
}
