package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/jsonpath"
	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/history"
)

// scriptDir has the tests of the command line. Each file is a story;
// docs/reference/tests.md lists the commands that scripts have besides testscript's.
const scriptDir = "testdata/script"

// TestScripts holds what needs no server: help, errors, exit codes, reports of results that
// are there. Most of its commands take less time than a process of skewsim takes to start, so
// exits runs them in this process. No other test may run meanwhile.
func TestScripts(t *testing.T) {
	path := withoutFrobber(os.Getenv("PATH")) // before a command of a script has the process's
	runScripts(t, scriptDir, func(e *testscript.Env) {
		e.Setenv(inProcess, "1")
		e.Setenv("PATH", path)
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
	// Relative paths depend on the directory that inProcess changes.
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir, err = filepath.Abs(dir)
	require.NoError(t, err)
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	goCache := cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build"))
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": holdsJSON, "noservers": hasNoServers, "small": writeSmall, "until": until, "unpack": unpack, "lines": writeLines,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SKEWSIM_CACHE", e.WorkDir+"/cache")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("REPOSITORY", repository)
			e.Setenv("GOCACHE", goCache)
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
	if args[1] == "skewsim" && ts.Getenv(inProcess) != "" {
		got = runHere(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// inProcess has the scripts of a test run skewsim in the test's process.
const inProcess = "SKEWSIM_TEST_IN_PROCESS"

// here is held while the process has the directory and the environment of a script.
var here sync.Mutex

// runHere runs skewsim in this process, and returns its exit code.
func runHere(ts *testscript.TestScript, args []string) int {
	here.Lock()
	defer here.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	for _, setting := range scriptEnvironment(ts) {
		name, value, _ := strings.Cut(setting, "=")
		if old, had := os.LookupEnv(name); had {
			defer os.Setenv(name, old)
		} else {
			defer os.Unsetenv(name)
		}
		if value == "" {
			os.Unsetenv(name)
		} else {
			os.Setenv(name, value)
		}
	}
	a := &App{Out: ts.Stdout(), Err: ts.Stderr(), ReferenceServerOnPath: referenceServerOnPath()}
	return execute(context.Background(), a, args)
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
	withoutNulls(data)
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

// withoutNulls removes the members that are null, of which JSONPath cannot select anything.
func withoutNulls(data any) {
	switch of := data.(type) {
	case map[string]any:
		maps.DeleteFunc(of, func(_ string, v any) bool { return v == nil })
		for _, v := range of {
			withoutNulls(v)
		}
	case []any:
		for _, v := range of {
			withoutNulls(v)
		}
	}
}

// hasNoServers is a script command: noservers DIR... holds that no server of a run lives on. The kernel ends servers
// of a killed run; that may take it a moment.
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
	files, err := readRecorded(ts.Getenv("REPOSITORY"))
	ts.Check(err)
	for name, content := range files {
		file := filepath.Join(ts.MkAbs(args[0]), name)
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o700))
		ts.Check(os.WriteFile(file, content, 0o600))
	}
}

// writeLines is a script command: lines DIR writes the lines of the history of a run beside it, as history.jsonl.
func writeLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lines DIR")
	}
	raw, err := linesOf(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), history.PlainFileName), raw, 0o600))
}

// mayTake bounds a command that waits for an event.
const mayTake = 5 * time.Minute

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
	ctx, cancel := context.WithTimeout(context.Background(), mayTake)
	defer cancel()
	c := exec.CommandContext(ctx, args[3], args[4:]...)
	c.WaitDelay = 10 * time.Second // a server may hold the output open
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
			select {
			case <-event: // it ended right after it
				acted <- nil
			default:
				acted <- fmt.Errorf("%s: the command has ended without it", args[0])
			}
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
	if filepath.Base(found[0]) == history.FileName {
		raw, _ = linesOf(filepath.Dir(found[0]))
	}
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
	names := []string{
		"PATH", "HOME", "TMPDIR", "WORK", "SKEWSIM_CACHE", "GOCACHE", "GOPROXY", "DOCKER_HOST", "JOB_COMPLETION_INDEX", onPathVariable,
	}
	var all []string
	for _, name := range names {
		all = append(all, name+"="+ts.Getenv(name))
	}
	return append(all, "PWD="+ts.MkAbs("."))
}
