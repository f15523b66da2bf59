package oracle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// testdata/recorded is a run on real servers, see its README.

var (
	update = flag.Bool("update", false, "write the golden files instead of comparing with them")
	record = flag.String("record", "", "make testdata/recorded anew from this `run directory`")
)

const fixture = "testdata/recorded"

// run is a recorded run, read once.
type run struct {
	raw     []byte
	schemas oracle.Schemas
}

var recordedRun = sync.OnceValues(func() (run, error) {
	raw, err := unzip(filepath.Join(fixture, "history.jsonl.gz"))
	if err != nil {
		return run{}, err
	}
	h, err := history.Decode(bytes.NewReader(raw))
	if err != nil {
		return run{}, err
	}
	all := oracle.Schemas{}
	for role, release := range h.Releases {
		var documents [][]byte
		for _, name := range release.Schemas {
			document, err := unzip(filepath.Join(fixture, name))
			if err != nil {
				return run{}, err
			}
			documents = append(documents, document)
		}
		if all[role], err = schema.Parse(documents); err != nil {
			return run{}, err
		}
	}
	return run{raw, all}, nil
})

// played returns the recorded history, anew each time so that a test can bend it.
func played(t *testing.T) *story {
	t.Helper()
	r, err := recordedRun()
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.Decode(bytes.NewReader(r.raw))
	if err != nil {
		t.Fatal(err)
	}
	return &story{t: t, h: h, schemas: r.schemas}
}

func unzip(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func zip(t *testing.T, name string, content []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRecordedRun judges the recorded run again: the result is what it was.
func TestRecordedRun(t *testing.T) {
	if *record != "" {
		remake(t, *record)
	}
	res, _ := played(t).judge()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(res); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join(fixture, "result.json")
	if *update || *record != "" {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the result differs from %s: run with -update and read the difference", golden)
	}
	if res.Verdict != term.Pass {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

// TestRecordedRunIsClean holds the fixture to what may be published.
func TestRecordedRunIsClean(t *testing.T) {
	r, err := recordedRun()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{os.TempDir() + "/", "/home/", "127.0.0.1:", "logs/"} {
		if bytes.Contains(r.raw, []byte(text)) {
			t.Errorf("the history holds %q", text)
		}
	}
	total := int64(0)
	err = filepath.WalkDir(fixture, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		total += info.Size()
		return err
	})
	if err != nil || total > 600_000 {
		t.Errorf("%d bytes, at most 600000: %v", total, err)
	}
}

// remake makes the fixture from a run directory: what the oracle reads of it,
// and no more.
func remake(t *testing.T, dir string) {
	h, err := history.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if old, err := filepath.Glob(filepath.Join(fixture, "*.gz")); err == nil {
		for _, name := range old {
			os.Remove(name)
		}
	}
	for role, release := range h.Releases {
		for gv, name := range release.Schemas {
			release.Schemas[gv] = trimSchema(t, filepath.Join(dir, "schemas", name), h)
		}
		release.Gates = nil
		h.Releases[role] = release
	}
	zip(t, filepath.Join(fixture, "history.jsonl.gz"), trimmed(t, h))
}

// trimmed is the history without the changes of other keys, the servers' logs,
// and the bodies that nothing then refers to.
func trimmed(t *testing.T, h *history.History) []byte {
	ours := map[string]bool{}
	for _, c := range h.Header.Plan.Copies {
		ours[c.Name] = true
	}
	h.Changes = slices.DeleteFunc(h.Changes, func(c history.Change) bool { return !ours[filepath.Base(c.Key)] })
	h.Operations = slices.DeleteFunc(h.Operations, func(op history.Operation) bool { return op.Purpose == history.Prepare })
	for i := range h.Servers {
		h.Servers[i].Log, h.Servers[i].Message = "", ""
	}
	for i := range h.Trials {
		h.Trials[i].Log = ""
	}
	s := story{t: t, h: h}
	blobs := h.Blobs
	h.Blobs = nil
	referred := strings.Join(s.lines(), "")
	maps.DeleteFunc(blobs, func(digest string, _ history.Blob) bool { return !strings.Contains(referred, digest) })
	h.Blobs = blobs
	return []byte(strings.Join(s.lines(), ""))
}

// trimSchema keeps the definitions that the run's kinds reach, and returns the
// name of the new file: the digest of what it holds.
func trimSchema(t *testing.T, name string, h *history.History) string {
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	document := parse(t, string(raw))
	all := document["components"].(object)["schemas"].(object)
	kept := object{}
	for _, m := range h.Header.Plan.Manifests {
		for name, definition := range all {
			if strings.HasSuffix(name, "."+m.Kind) {
				reach(all, kept, name, definition)
			}
		}
	}
	raw, err = json.Marshal(object{"openapi": "3.0.0", "info": object{}, "paths": object{}, "components": object{"schemas": kept}})
	if err != nil {
		t.Fatal(err)
	}
	to := history.Digest(raw) + ".json.gz"
	zip(t, filepath.Join(fixture, to), raw)
	return to
}

// reach keeps a definition and all that it refers to, without descriptions.
func reach(all, kept object, name string, definition any) {
	if _, done := kept[name]; done || definition == nil {
		return
	}
	kept[name] = definition
	var visit func(v any)
	visit = func(v any) {
		switch t := v.(type) {
		case object:
			if text, ok := t["description"].(string); ok && text != "" {
				delete(t, "description")
			}
			if to, ok := t["$ref"].(string); ok {
				to = strings.TrimPrefix(to, reference)
				reach(all, kept, to, all[to])
			}
			for _, key := range slices.Sorted(maps.Keys(t)) {
				visit(t[key])
			}
		case []any:
			for _, item := range t {
				visit(item)
			}
		}
	}
	visit(definition)
}

// stepsOf calls each for every operation of the recorded plan on a copy that
// exists by then.
func (s *story) stepsOf(each func(stage string, step plan.Step, role term.CopyRole)) {
	roles := map[string]term.CopyRole{}
	for _, c := range s.h.Header.Plan.Copies {
		roles[c.Name] = c.Role
	}
	for _, stage := range s.h.Header.Plan.Stages {
		for _, step := range stage.Steps {
			if step.Copy != "" && step.Verb != term.Create {
				each(stage.Name, step, roles[step.Copy])
			}
		}
	}
}

// unexpected are the findings, one line each, that no line of expect explains.
func unexpected(res result.Result) string {
	var all []string
	for _, f := range res.Findings {
		if !f.Expected {
			all = append(all, brief(f))
		}
	}
	return strings.Join(all, "\n")
}

// What remake writes is numbered, whole and trimmed: made from itself, the
// fixture is what it was.
func TestRecordedRunMadeAnew(t *testing.T) {
	r, err := recordedRun()
	if err != nil {
		t.Fatal(err)
	}
	if got := trimmed(t, played(t).h); !bytes.Equal(got, r.raw) {
		t.Errorf("%d lines became %d, or others", bytes.Count(r.raw, []byte("\n")), bytes.Count(got, []byte("\n")))
	}
}
