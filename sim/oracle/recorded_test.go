package oracle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// testdata/recorded is a run on real servers that an earlier version of skewsim recorded,
// in the same version of the format: see its README.

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

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

// played returns the recorded history, anew each time so that a test can edit it.
func played(t *testing.T) *oracletest.Run {
	t.Helper()
	run, err := decoded()
	if err != nil {
		t.Fatal(err)
	}
	run.T = t
	return run
}

// decoded is the recorded history, decoded anew, and no test's.
func decoded() (*oracletest.Run, error) {
	r, err := recordedRun()
	if err != nil {
		return nil, err
	}
	h, err := history.Decode(bytes.NewReader(r.raw))
	return oracletest.OfHistory(nil, h, r.schemas), err
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

// TestRecordedRun judges the recorded run again: the result is what it was.
func TestRecordedRun(t *testing.T) {
	res, _ := played(t).Judge()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(res); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join(fixture, "result.json")
	if *update {
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

// stepsOf calls each for every operation of the recorded plan on a copy that
// exists by then.
func stepsOf(run *oracletest.Run, each func(stage string, step plan.Step, role term.CopyRole)) {
	roles := map[string]term.CopyRole{}
	for _, c := range run.History.Header.Plan.Copies {
		roles[c.Name] = c.Role
	}
	for _, stage := range run.History.Header.Plan.Stages {
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
			all = append(all, oracletest.Brief(f))
		}
	}
	return strings.Join(all, "\n")
}
