package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordedDir is the run that package oracle has recorded, with the schemas
// that its history names.
const recordedDir = "../../sim/oracle/testdata/recorded"

// recordedFiles are a run directory's files: of the history, its first lines,
// to the size given, and its last.
func recordedFiles(t testing.TB, size int) map[string][]byte {
	t.Helper()
	packed, err := filepath.Glob(filepath.Join(recordedDir, "*.gz"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, name := range packed {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		r, err := gzip.NewReader(bytes.NewReader(raw))
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		as := filepath.Join("schemas", filepath.Base(name)) // the history names them so
		if filepath.Base(name) == "history.jsonl.gz" {
			as = "history.jsonl"
		}
		files[as] = content
	}
	if all := files["history.jsonl"]; size < len(all) {
		files["history.jsonl"] = all[:bytes.LastIndexByte(all[:size], '\n')+1]
	}
	return files
}

// layOut writes files as a run directory.
func layOut(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	return dir
}

// called runs a command in this process; a panic fails the test.
func called(args ...string) (code int, out, told string) {
	var stdout, stderr bytes.Buffer
	a := &App{Out: &stdout, Err: &stderr, ReferenceServerOnPath: referenceServerOnPath()}
	code = execute(context.Background(), a, args)
	return code, stdout.String(), stderr.String()
}

// TestDamagedDirectories: judge and report of a run directory that is not what
// a run left say what is wrong, and never that it passes.
func TestDamagedDirectories(t *testing.T) {
	whole := recordedFiles(t, 1<<30)
	history := whole["history.jsonl"]
	line := func(n int) int { // where line n begins
		at := 0
		for range n - 1 {
			at += bytes.IndexByte(history[at:], '\n') + 1
		}
		return at
	}
	header := line(2)
	schemas := slices.Sorted(maps.Keys(whole))
	firstSchema := schemas[slices.IndexFunc(schemas, func(name string) bool { return strings.HasPrefix(name, "schemas") })]
	with := func(name string, content []byte) map[string][]byte {
		files := maps.Clone(whole)
		if files[name] = content; content == nil {
			delete(files, name)
		}
		return files
	}
	unread := []string{"its first line is no header", "the run cannot be judged", "not a regular file", "holds no history.jsonl"}
	for name, c := range map[string]struct {
		files map[string][]byte
		code  int
		told  string
	}{
		"whole":                         {whole, ExitExpected, ""},
		"empty":                         {nil, ExitUsage, "holds no history.jsonl"},
		"an empty history":              {with("history.jsonl", []byte{}), ExitUnjudged, "its first line is no header"},
		"a history of zeros":            {with("history.jsonl", make([]byte, 1<<20)), ExitUnjudged, "its first line is no header"},
		"a cut header":                  {with("history.jsonl", history[:header/2]), ExitUnjudged, "its first line is no header"},
		"the header alone":              {with("history.jsonl", history[:header]), ExitUnjudged, "run was killed before its end"},
		"cut between lines":             {with("history.jsonl", history[:line(1000)]), ExitUnjudged, "run was killed before its end"},
		"cut within a line":             {with("history.jsonl", history[:line(1000)-5]), ExitUnjudged, "line 999: cut short"},
		"a line gone":                   {with("history.jsonl", slices.Concat(history[:line(1000)], history[line(1001):])), ExitUnjudged, "line 1000: is record 1001"},
		"a line of garbage":             {with("history.jsonl", slices.Concat(history[:line(1000)], []byte("\xff\x00\n"), history[line(1001):])), ExitUnjudged, "line 1000: damaged"},
		"a schema missing":              {with(firstSchema, nil), ExitUnjudged, "is missing, so the run cannot be judged"},
		"an empty schema":               {with(firstSchema, []byte{}), ExitUnjudged, "is not the one that the run recorded"},
		"a cut schema":                  {with(firstSchema, whole[firstSchema][:5000]), ExitUnjudged, "is not the one that the run recorded"},
		"another's schema":              {with(firstSchema, []byte(`{"kind":"Status"}`)), ExitUnjudged, "is not the one that the run recorded"},
		"a schema too deep":             {with(firstSchema, bytes.Repeat([]byte("["), 1<<20)), ExitUnjudged, "is not the one that the run recorded"},
		"a history that is a directory": {map[string][]byte{"history.jsonl/x": {}}, ExitUnjudged, "not a regular file"},
	} {
		dir := layOut(t, c.files)
		code, out, told := called("judge", dir)
		assert.Equal(t, c.code, code, "judge: %s: %s", name, told)
		assert.Contains(t, out+told, c.told, "judge: %s", name)
		assert.NotContains(t, told, "goroutine ", name)
		_, out, told = called("report", dir)
		if slices.ContainsFunc(unread, func(why string) bool { return strings.Contains(told, why) }) {
			assert.Contains(t, told, c.told, "report: %s", name)
			continue
		}
		assert.Empty(t, told, "report: %s", name)
		report, err := os.ReadFile(strings.TrimSpace(out))
		require.NoError(t, err)
		assert.Contains(t, string(report), c.told, "report: %s", name)
	}
}

// FuzzJudgeCommand holds that judge and report end with an exit code and words,
// whatever piece of a run directory is replaced by whatever bytes.
func FuzzJudgeCommand(f *testing.F) {
	files := recordedFiles(f, 400_000)
	names := slices.Sorted(maps.Keys(files))
	for i := range names {
		f.Add(byte(i), 0, 0, []byte{})
		f.Add(byte(i), 100, 50, []byte("null"))
		f.Add(byte(i), 2000, 1<<30, []byte{})
	}
	f.Fuzz(func(t *testing.T, which byte, at, size int, by []byte) {
		bent := maps.Clone(files)
		name := names[int(which)%len(names)]
		content := files[name]
		at = max(0, min(at, len(content)))
		size = max(0, min(size, len(content)-at))
		bent[name] = slices.Concat(content[:at], by, content[at+size:])
		dir := layOut(t, bent)
		for _, command := range []string{"judge", "report"} {
			code, out, told := called(command, dir)
			assert.NotEmpty(t, out+told, command)
			assert.False(t, command == "judge" && code == ExitExpected, "a history without an end passes")
		}
	})
}
