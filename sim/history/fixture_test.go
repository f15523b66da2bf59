package history_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// header is a small header; the writer adds the form and the time.
func header() history.Header {
	return history.Header{Tool: "v0", Salt: "s", Plan: plan.Plan{
		Scenario: "x", Manifests: map[string]plan.Manifest{
			"o.yaml": {APIVersion: "example.dev/v1", Kind: "Gadget", Body: map[string]any{"size": int64(9007199254740993)}},
		},
	}}
}

func create(t testing.TB) (*history.Writer, string) {
	t.Helper()
	dir := t.TempDir()
	w, err := history.Create(dir, header())
	require.NoError(t, err)
	return w, dir
}

// gadget is the body that the history holds.
const gadget = `{"kind":"Gadget"}`

// records is one of each kind that can follow the header.
func records() []history.Record {
	exchange := history.Exchange{Method: "GET", Path: "/x", Code: 200, Warnings: []string{"<w>"}, Seconds: 0.5}
	return []history.Record{
		{Release: &history.Release{Role: term.Old, Reference: "r", Version: "v1", Schemas: map[string]string{"v1": "d.json"}}},
		{Stage: &history.Stage{Index: 0, Name: "old"}},
		{Server: &history.Server{Step: 1, Replica: "a", Role: term.Old, Event: history.Ready, Seconds: 2}},
		{Operation: &history.Operation{Step: 3, Copy: "x-treated-001", Purpose: history.Act, Exchange: exchange}},
		{Listing: &history.Listing{Step: 4, Replica: "a", Items: []history.Item{{Copy: "x-treated-001", Answer: history.Digest([]byte(gadget)), Revision: 7}}}},
		{Change: &history.Change{Revision: 7, Key: "/registry/x", Size: 3}},
		{Skip: &history.Skip{Step: 5, Reason: "the copy was not created"}},
	}
}

// written is a whole history as text.
func written(t testing.TB) string {
	t.Helper()
	w, dir := create(t)
	for _, r := range records() {
		require.NoError(t, w.Write(r))
	}
	_, err := w.Body([]byte(gadget))
	require.NoError(t, err)
	require.NoError(t, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	require.NoError(t, w.Close())
	return read(t, dir)
}

// read returns the lines in a history's file, as zstdcat prints them.
func read(t testing.TB, dir string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, history.FileName))
	require.NoError(t, err)
	decoder, err := zstd.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	defer decoder.Close()
	text, err := io.ReadAll(decoder)
	require.NoError(t, ignoring(err, io.ErrUnexpectedEOF), "the frame of a history that was not closed")
	return string(text)
}

func ignoring(err, ignored error) error {
	if errors.Is(err, ignored) {
		return nil
	}
	return err
}

func decode(text string) (*history.History, error) { return history.Decode(strings.NewReader(text)) }
