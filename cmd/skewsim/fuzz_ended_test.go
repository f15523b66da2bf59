package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/fuzz"
)

// onText is a writer that calls a function when a command first writes a text.
type onText struct {
	text string
	do   func()

	mu   sync.Mutex
	said bytes.Buffer
	once sync.Once
}

func (w *onText) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.said.Write(p)
	seen := strings.Contains(w.said.String(), w.text)
	w.mu.Unlock()
	if seen {
		w.once.Do(w.do)
	}
	return len(p), nil
}

// TestFrobberFuzzEndsEarly: what was found before a run ended early is kept and fails it, and
// where nothing was found the run says what it saw, and is no pass.
func TestFrobberFuzzEndsEarly(t *testing.T) {
	withFrobber(t)
	const broken, travelled = "an object came back broken", "50 of 100000 objects have travelled"
	for name, c := range map[string]struct {
		pair, at string
		kill     syscall.Signal // 0: the user ends it
		code     int
		verdict  term.VerdictWord
		says     []string
	}{
		"interrupted, wrong":       {"frobber@1.2..1.3+forgets", broken, 0, ExitDiffers, term.Fail, []string{"ended early: it was interrupted", "under way then", "objects/01-"}},
		"a server's death, right":  {"frobber@1.2..1.3", travelled, syscall.SIGKILL, ExitUnjudged, term.Unknown, []string{"server lap-off-", "died: was killed by signal 9", "logs/lap-off-", "play one again: skewsim fuzz frobber@1.2..1.3 --seed 7 --only "}},
		"a server's end, in order": {"frobber@1.2..1.3", travelled, syscall.SIGTERM, ExitUnjudged, term.Unknown, []string{"server lap-off-", "died: exited with status 0", "logs/lap-off-"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out := &onText{text: c.at, do: cancel}
			if c.kill != 0 {
				out.do = func() { _ = syscall.Kill(serversOf(t, dir)[0], c.kill) }
			}
			a := &App{Out: out, Err: out}
			code := execute(ctx, a, []string{"fuzz", c.pair, "--out", dir, "--count", "100000", "--seed", "7"})
			wantNoServers(t, dir)
			r := fuzzed(t, dir)
			if code != c.code || r.Verdict != c.verdict || r.Ended == "" || (len(r.Violations()) > 0) != (c.verdict == term.Fail) {
				t.Errorf("exit code %d, %s: %s, ended: %s: %v", code, r.Verdict, r.Reason, r.Ended, r.Violations())
			}
			if len(r.Laps) != 1 || r.Laps[0].Kinds[0].Unfinished == 0 || c.at == travelled && r.Laps[0].Kinds[0].Accepted < 40 {
				t.Errorf("laps: %+v", r.Laps)
			}
			text, err := os.ReadFile(filepath.Join(dir, "fuzz.txt"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.says {
				if !strings.Contains(string(text), want) || !strings.Contains(out.said.String(), want) {
					t.Errorf("nothing says %q:\n%s\n%s", want, text, out.said.String())
				}
			}
			for _, f := range r.Violations() {
				if _, err := os.Stat(filepath.Join(dir, f.File)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// fuzzed is the result that a run of fuzz left.
func fuzzed(t *testing.T, dir string) (r fuzz.Result) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "fuzz.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
