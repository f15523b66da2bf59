package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// recordedDir has runs that package oracle has recorded, with the schemas that their histories
// name.
const recordedDir = "sim/oracle/testdata/histories"

// readRecorded returns the files of the directory of a recorded run.
func readRecorded(repository string) (map[string][]byte, error) {
	text, err := unzipped(filepath.Join(repository, recordedDir, "add-field.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"history.jsonl": text}
	schemas, err := filepath.Glob(filepath.Join(repository, recordedDir, "schemas", "*.gz"))
	for _, name := range schemas {
		if base := strings.TrimSuffix(filepath.Base(name), ".gz"); err == nil && bytes.Contains(text, []byte(base)) {
			files[filepath.Join("schemas", base)], err = unzipped(name)
		}
	}
	return files, err
}

// linesOf are the lines of the history in a run directory.
func linesOf(dir string) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, history.FileName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if errors.Is(err, io.ErrUnexpectedEOF) { // the run was killed, or goes on
		err = nil
	}
	return text, err
}

func unzipped(file string) ([]byte, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// recordedFiles are those files: of the history, its first lines, to the size given.
func recordedFiles(t testing.TB, size int) map[string][]byte {
	t.Helper()
	files, err := readRecorded("../..")
	require.NoError(t, err)
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

// FuzzJudgeCommand holds that judge and report end with an exit code and words,
// whatever piece of a run directory is replaced by whatever bytes.
func FuzzJudgeCommand(f *testing.F) {
	files := recordedFiles(f, 200_000)
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
