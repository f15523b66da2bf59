package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/skewsim/skewsim/servers/neighbours"
	"k8s.io/client-go/util/jsonpath"
	kjson "sigs.k8s.io/json"
)

// scriptDir has the tests of the command line. Each file is a story;
// docs/reference/tests.md lists the commands that scripts have besides testscript's.
const scriptDir = "testdata/script"

// TestScripts holds what needs no server: help, errors, exit codes, reports of results that
// are there.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, scriptDir, func(e *testscript.Env) {
		e.Setenv("PATH", withoutFrobber(e.Getenv("PATH")))
		e.Setenv(onPathVariable, "1") // and none is there, but for stories that bring one
	})
}

// TestSmokeScripts, TestFrobberScripts and TestKubernetesScripts play releases. Each is of the
// tier that its name says.
func TestSmokeScripts(t *testing.T) {
	t.Parallel() // servers wait for each other while the others compute
	playScripts(t, "smoke")
}

func TestFrobberScripts(t *testing.T) { playScripts(t, "frobber") }

// TestKubernetesScripts has the releases under test in $OLD and $NEW, and their pair in $PAIR.
func TestKubernetesScripts(t *testing.T) {
	old, new := neighbours.Pair(t)
	newReal(t)
	runScripts(t, filepath.Join(scriptDir, "kubernetes"), func(e *testscript.Env) {
		e.Setenv("HOME", os.Getenv("HOME")) // whose builds they are
		e.Setenv("SKEWSIM_CACHE", os.Getenv("SKEWSIM_CACHE"))
		for name, value := range map[string]string{"OLD": old.Version, "NEW": new.Version, "PAIR": pairOf(old, new)} {
			e.Setenv(name, value)
		}
	})
}

func playScripts(t *testing.T, tier string) {
	t.Helper()
	withFrobber(t)
	runScripts(t, filepath.Join(scriptDir, tier), func(*testscript.Env) {})
}

func runScripts(t *testing.T, dir string, more func(*testscript.Env)) {
	t.Helper()
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": holdsJSON, "noservers": hasNoServers, "small": writeSmall, "until": until, "unpack": unpack,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SKEWSIM_CACHE", e.WorkDir+"/cache")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("REPOSITORY", filepath.Dir(filepath.Dir(filepath.Dir(testdata))))
			if cache, err := os.UserCacheDir(); err == nil {
				e.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
			}
			more(e)
			return nil
		},
	})
}

// withoutFrobber is a PATH without what is built for other tests: a story that needs no
// server must not find one.
func withoutFrobber(path string) string {
	dirs := filepath.SplitList(path)
	return strings.Join(slices.DeleteFunc(dirs, func(dir string) bool { return dir == built }), string(filepath.ListSeparator))
}

// exits is a script command: exits CODE COMMAND ARGS... runs the command and
// holds its exit code. Its output is there for stdout and stderr as after exec.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// holdsJSON is a script command: json FILE PATH PATTERN holds that what a JSONPath of kubectl's
// selects in a file, or in stdout, matches a pattern; json -count=N FILE PATH counts what it selects;
// json -env=NAME FILE PATH keeps it in a variable.
func holdsJSON(ts *testscript.TestScript, neg bool, args []string) {
	count, variable := -1, ""
	if len(args) > 0 && strings.HasPrefix(args[0], "-env=") {
		variable, args = strings.TrimPrefix(args[0], "-env="), append(args[1:], "")
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "-count=") {
		n, err := strconv.Atoi(strings.TrimPrefix(args[0], "-count="))
		ts.Check(err)
		count, args = n, append(args[1:], "")
	}
	if len(args) != 3 || neg && (count >= 0 || variable != "") {
		ts.Fatalf("usage: [!] json FILE PATH PATTERN; json -count=N FILE PATH; json -env=NAME FILE PATH")
	}
	var data any
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(ts.ReadFile(args[0])), &data); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	path := jsonpath.New(args[0]).AllowMissingKeys(true)
	ts.Check(path.Parse(args[1]))
	if count >= 0 {
		found, err := path.FindResults(data)
		ts.Check(err)
		n := 0
		for _, some := range found {
			n += len(some)
		}
		if n != count {
			ts.Fatalf("%s: %s selects %d, want %d", args[0], args[1], n, count)
		}
		return
	}
	var selected strings.Builder
	ts.Check(path.Execute(&selected, data))
	if variable != "" {
		ts.Setenv(variable, selected.String())
		return
	}
	pattern, err := regexp.Compile("(?m)" + args[2])
	ts.Check(err)
	if pattern.MatchString(selected.String()) == neg {
		ts.Fatalf("%s: %s is %q, which %s %q", args[0], args[1], selected.String(), map[bool]string{false: "does not match", true: "matches"}[neg], args[2])
	}
}

// hasNoServers is a script command: noservers DIR... holds that no server of a run lives on, and
// that neither its keys nor its store are there. The kernel ends servers of a killed run; that may
// take it a moment.
func hasNoServers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: noservers DIR...")
	}
	for _, dir := range args {
		deadline := time.Now().Add(10 * time.Second)
		for len(serversIn(ts.MkAbs(dir))) > 0 {
			if time.Now().After(deadline) {
				ts.Fatalf("%s: servers outlive the run", dir)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// writeSmall is a script command: small NAME [LINES] writes a small scenario of Frobber as
// NAME.yaml, with LINES at its end, where \n ends a line, and its objects.
func writeSmall(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: small NAME [LINES]")
	}
	more := ""
	if len(args) == 2 {
		more = strings.ReplaceAll(args[1], `\n`, "\n") + "\n"
	}
	ts.Check(writeLean(ts.MkAbs("."), args[0], more))
}

// unpack is a script command: unpack DIR lays a recorded run out as a run's directory.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unpack DIR")
	}
	files, err := readRecorded()
	ts.Check(err)
	for name, content := range files {
		file := filepath.Join(ts.MkAbs(args[0]), name)
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o700))
		ts.Check(os.WriteFile(file, content, 0o600))
	}
}

// until is a script command: until EVENT ACTION CODE COMMAND ARGS... runs a command, does
// something at an event, and holds its exit code, which is -1 for a command that a signal ended.
// EVENT is a text that the command prints; exists:PATTERN, a file that it makes; or lines:N:PATTERN, a
// file of it with so many lines. ACTION is INT, KILL or TERM, a signal for the command; INT,INT, two of
// them; or KILL:DIR or TERM:DIR, a signal for the servers of the run in DIR.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: until EVENT ACTION CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	ended, event := make(chan struct{}), make(chan struct{})
	at := sync.OnceFunc(func() { close(event) })
	printed := &heard{text: args[0], call: at}
	c := exec.Command(args[3], args[4:]...)
	c.Dir, c.Env = ts.MkAbs("."), scriptEnvironment(ts)
	c.Stdout, c.Stderr = io.MultiWriter(ts.Stdout(), printed), io.MultiWriter(ts.Stderr(), printed)
	ts.Check(c.Start())
	go func() {
		for !happened(args[0], ts.MkAbs) {
			select {
			case <-ended:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		at()
	}()
	acted := make(chan error, 1)
	go func() {
		select {
		case <-event:
			acted <- act(c.Process, args[1], ts.MkAbs)
		case <-ended:
			acted <- fmt.Errorf("%s: the command has ended without it", args[0])
		}
	}()
	_ = c.Wait() // the exit code says it
	close(ended)
	ts.Check(<-acted)
	if got := c.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// heard is a writer that calls a function when a text has been written to it.
type heard struct {
	text string
	call func()

	mu   sync.Mutex
	tail []byte
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tail = append(h.tail, p...)
	if bytes.Contains(h.tail, []byte(h.text)) {
		h.call()
	}
	h.tail = h.tail[max(0, len(h.tail)-len(h.text)):]
	return len(p), nil
}

// happened reports whether there is the file that an event names.
func happened(event string, at func(string) string) bool {
	name, of := strings.CutPrefix(event, "exists:")
	lines := 0
	if text, is := strings.CutPrefix(event, "lines:"); is {
		number, file, _ := strings.Cut(text, ":")
		lines, _ = strconv.Atoi(number)
		name, of = file, true
	}
	if !of {
		return false
	}
	found, _ := filepath.Glob(at(name)) // the pattern is one
	if len(found) == 0 || lines == 0 {
		return len(found) > 0
	}
	raw, _ := os.ReadFile(found[0]) // it may not be there yet
	return bytes.Count(raw, []byte("\n")) >= lines
}

// act does what until is given to do.
func act(p *os.Process, action string, at func(string) string) error {
	name, dir, ofServers := strings.Cut(action, ":")
	for i, word := range strings.Split(name, ",") {
		signal, known := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[word]
		if !known {
			return fmt.Errorf("%s: no such action", action)
		}
		if i > 0 {
			time.Sleep(20 * time.Millisecond) // two signals of one kind that wait are one
		}
		if !ofServers {
			_ = p.Signal(signal)
			continue
		}
		pids := serversIn(at(dir))
		if len(pids) == 0 {
			return fmt.Errorf("no server runs in %s", dir)
		}
		for _, pid := range pids { // one alone may be a server that has just been replaced
			_ = syscall.Kill(pid, signal)
		}
	}
	return nil
}

// scriptEnvironment is the environment of a script's commands.
func scriptEnvironment(ts *testscript.TestScript) []string {
	names := []string{"PATH", "HOME", "TMPDIR", "WORK", "SKEWSIM_CACHE", "GOCACHE", onPathVariable}
	var all []string
	for _, name := range names {
		all = append(all, name+"="+ts.Getenv(name))
	}
	return append(all, "PWD="+ts.MkAbs("."))
}
