package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/campaign"
)

// TestFirstWords: a line that names the package which does not compile says nothing yet.
func TestFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"server b ended\nits log":                               "server b ended",
		"go build: # k8s.io/x\ncmd/x.go:3:2: undefined: y\nz":   "go build: cmd/x.go:3:2: undefined: y",
		"# k8s.io/x\n# k8s.io/x [k8s.io/x.test]\nx.go:1:1: bad": "x.go:1:1: bad",
		"go build: # k8s.io/x":                                  "go build: # k8s.io/x",
		"see issue #12\nand more":                               "see issue #12",
		"a\x1b[2Jb":                                             `a\u001b[2Jb`,
	} {
		assert.Equal(t, want, campaign.FirstLine(errors.New(text)))
	}
}

// TestTellUnbuilt: an error of a build is reported once, and printed in full if it has several
// lines.
func TestTellUnbuilt(t *testing.T) {
	var said bytes.Buffer
	a := &App{Out: io.Discard, Err: &said}
	_, err := a.Builder().Build(t.Context(), servers.Reference{Scheme: servers.SchemeSource, Path: "/nowhere"})
	require.Error(t, err)
	assert.Equal(t, []string{campaign.Message(err)}, tellUnbuilt(t.Context(), a))
	assert.Empty(t, tellUnbuilt(t.Context(), a), "it is reported once")
	assert.Empty(t, said.String(), "it has one line")
}

// countingGo puts a go command on PATH that notes what it is asked for, and gives the
// name of the file that it notes that in.
func countingGo(t *testing.T, script string) string {
	t.Helper()
	own, err := exec.LookPath("go")
	require.NoError(t, err)
	dir := t.TempDir()
	script = fmt.Sprintf("#!/bin/sh\necho $1 >>%q\n%s\nexec %q \"$@\"\n", filepath.Join(dir, "asked"), script, own)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return filepath.Join(dir, "asked")
}

// TestBrokenBuild: a build that fails is tried as often as one cell may be, for all that
// need it, and one that does not compile once. The output of the compiler is printed once, and
// kept; its first line is the reason of each cell.
func TestBrokenBuild(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	broken := plantCheckout(t, "1.37")
	main := "package main\n\nfunc main() { println(undefinedThing, another) }\n"
	require.NoError(t, os.WriteFile(filepath.Join(broken, "cmd", "kube-apiserver", "main.go"), []byte(main), 0o600))
	full := `[ "$1" = build ] && { echo "link: write x: no space left on device" >&2; exit 1; }`
	for name, c := range map[string]struct {
		folder, script string
		builds         int
		reason, whole  string
		retryable      bool
	}{
		"does not compile": {broken, "", 1, "go build: cmd/kube-apiserver/main.go:3:23: undefined: undefinedThing", "undefined: another", false},
		"a full disk":      {plantCheckout(t, "1.37"), full, 2, "no space left on the disk", "no space left on the disk", true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := countingGo(t, c.script)
			out := filepath.Join(t.TempDir(), "out")
			args := []string{"control", "control-right", "quiet", "--out", out}
			code, said, told := called(append([]string{"matrix", "--pairs", "source:" + c.folder + "..source:" + c.folder, "--retries", "1"}, args...)...)
			assert.Equal(t, ExitUnjudged, code, said)
			raw, err := os.ReadFile(asked)
			require.NoError(t, err)
			assert.Equal(t, c.builds, strings.Count(string(raw), "build\n"))
			for _, cell := range stateIn(t, out).Cells {
				assert.Contains(t, cell.Reason, c.reason)
				assert.Equal(t, c.retryable, cell.Infrastructure, "whether --resume plays it again")
			}
			kept, err := os.ReadFile(filepath.Join(out, "unbuilt.txt"))
			require.NoError(t, err)
			assert.Equal(t, 1, strings.Count(string(kept), c.whole), "%s", kept)
			if !c.retryable {
				assert.Equal(t, 1, strings.Count(told+said, c.whole), "it is reported once")
			}
		})
	}
	out := filepath.Join(t.TempDir(), "out")
	code, said, told := called("run", "control", "quiet", "--old", "source:"+broken, "--new", "source:"+broken, "--out", out)
	assert.Equal(t, ExitUnjudged, code)
	assert.Equal(t, 1, strings.Count(told, "undefined: another"), told)
	assert.Equal(t, 3, strings.Count(said+told, "undefined: undefinedThing"), said+told)
}
