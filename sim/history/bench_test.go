package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// The benchmarks write and read the history of a real run: HISTORY_DIR names its directory.

// recordedRun returns the records of the run.
func recordedRun(b *testing.B) (all []history.Record) {
	dir := os.Getenv("HISTORY_DIR")
	if dir == "" {
		b.Skip("HISTORY_DIR names no run directory")
	}
	for line := range strings.Lines(read(b, dir)) {
		var r history.Record
		require.NoError(b, json.Unmarshal([]byte(line), &r))
		all = append(all, r)
	}
	return all
}

// rewritten writes the run as this version does.
func rewritten(b *testing.B, all []history.Record) (dir string) {
	dir = b.TempDir()
	w, err := history.Create(dir, *all[0].Header)
	require.NoError(b, err)
	for _, r := range all[1:] {
		switch {
		case r.Blob == nil:
			err = w.Write(r)
		case r.Blob.JSON != nil:
			_, err = w.Body(r.Blob.JSON)
		default:
			_, err = w.Bytes(r.Blob.Bytes)
		}
		require.NoError(b, err)
	}
	require.NoError(b, w.Close())
	return dir
}

func BenchmarkWrite(b *testing.B) {
	all := recordedRun(b)
	dir := ""
	for b.Loop() {
		dir = rewritten(b, all)
	}
	info, err := os.Stat(filepath.Join(dir, history.FileName))
	require.NoError(b, err)
	b.ReportMetric(float64(info.Size()), "file-bytes")
}

func BenchmarkLoad(b *testing.B) {
	dir := rewritten(b, recordedRun(b))
	for b.Loop() {
		_, err := history.Load(dir)
		require.NoError(b, err)
	}
}

func BenchmarkBodies(b *testing.B) {
	h, err := history.Load(rewritten(b, recordedRun(b)))
	require.NoError(b, err)
	all := slices.Collect(h.Digests())
	for b.Loop() {
		for _, digest := range all {
			h.Body(digest)
		}
	}
	b.ReportMetric(float64(len(all)), "bodies/op")
}
