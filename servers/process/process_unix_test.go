//go:build unix

package process_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers/process"
)

// role makes the test binary run as the helper that starts a child and waits to be killed.
const role = "SKEWSIM_PROCESS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "guarded":
		p, err := process.Start(process.Command{Path: "/bin/sleep", Args: []string{"600"}})
		announce(p.PID, err)
	case "plain":
		c := exec.Command("/bin/sleep", "600")
		err := c.Start()
		announce(func() int { return c.Process.Pid }, err)
	}
	os.Exit(m.Run())
}

// announce tells the test the child's process ID and waits for its own end.
func announce(pid func() int, err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(pid())
	select {}
}

// TestChildDiesWithItsParent: a child dies with its parent, even when the parent is killed. A
// child that is started without this package survives its parent, which shows that this package
// makes the difference.
func TestChildDiesWithItsParent(t *testing.T) {
	needLinux(t)
	plain := orphan(t, "plain")
	defer syscall.Kill(plain, syscall.SIGKILL)
	guarded := orphan(t, "guarded")
	eventually(t, "the child is gone", func() bool { return !alive(guarded) })
	if !alive(plain) {
		t.Error("the plain child died too")
	}
}

// orphan makes a helper start a child, kills the helper, and returns the child.
func orphan(t *testing.T, part string) int {
	t.Helper()
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), role+"="+part)
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	if !alive(child) {
		t.Fatalf("the child %d is not even there", child)
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // says that it was killed
	return child
}

// alive reports whether the process runs. A zombie, which may stay in a container without an
// init, does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}

func needLinux(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("only Linux kills a child with its parent")
	}
}

func eventually(t *testing.T, what string, met func() bool) {
	t.Helper()
	limit := time.After(10 * time.Second)
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for !met() {
		select {
		case <-poll.C:
		case <-limit:
			t.Fatalf("%s: not after 10 s", what)
		}
	}
}

func shell(t *testing.T, script string) *process.Process {
	t.Helper()
	p, err := process.Start(process.Command{
		Path: "/bin/sh", Args: []string{"-c", script}, LogPath: filepath.Join(t.TempDir(), "log"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestEnds(t *testing.T) {
	for _, c := range []struct{ script, err, status, tail string }{
		{"echo out; echo err >&2", "<nil>", "exited with status 0", "out|err"},
		{"echo no; exit 3", "exit status 3", "exited with status 3", "no"},
		{"kill -9 $$", "signal: killed", "was killed by signal 9 (killed)", ""},
		{"printf 'no newline'", "<nil>", "exited with status 0", "no newline"},
	} {
		p := shell(t, c.script)
		<-p.Done()
		if got := fmt.Sprint(p.Err()); got != c.err {
			t.Errorf("%s: Err said %s, want %s", c.script, got, c.err)
		}
		if p.Status() != c.status {
			t.Errorf("%s: Status said %q, want %q", c.script, p.Status(), c.status)
		}
		if got := strings.Join(p.Tail(10), "|"); got != c.tail {
			t.Errorf("%s: Tail said %q, want %q", c.script, got, c.tail)
		}
	}
}

func TestStop(t *testing.T) {
	p := shell(t, "trap 'echo bye; exit 0' TERM; echo ready; while :; do :; done")
	eventually(t, "the child is ready", func() bool { return len(p.Tail(1)) == 1 })
	if got := p.Status(); got != "is running" {
		t.Errorf("Status said %q", got)
	}
	for range 2 {
		if err := p.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(p.Tail(9), "|"); got != "ready|bye" || p.Err() != nil {
		t.Errorf("Tail said %q, Err %v", got, p.Err())
	}
}

func TestStopKillsWhenTimeIsUp(t *testing.T) {
	p := shell(t, "trap '' TERM; echo ready; while :; do :; done")
	eventually(t, "the child is ready", func() bool { return len(p.Tail(1)) == 1 })
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("time is up"))
	if err := p.Stop(ctx); err == nil || err.Error() != "sh: stop: time is up; killed it" {
		t.Errorf("Stop said %v", err)
	}
	if got := p.Status(); got != "was killed by signal 9 (killed)" {
		t.Errorf("Status said %q", got)
	}
}

// TestKillTakesGrandchildren: Kill also ends the child's children: Go's compilers must not
// continue after Ctrl-C.
func TestKillTakesGrandchildren(t *testing.T) {
	p := shell(t, "sleep 600 & echo $!; wait")
	eventually(t, "the grandchild is there", func() bool { return len(p.Tail(1)) == 1 })
	pid, err := strconv.Atoi(p.Tail(1)[0])
	if err != nil || !alive(pid) {
		t.Fatalf("no grandchild %d: %v", pid, err)
	}
	p.Kill()
	eventually(t, "the grandchild is gone", func() bool { return !alive(pid) })
}

// TestChildHasItsOwnGroup: Ctrl-C signals the terminal's foreground process group. The child is
// not in it.
func TestChildHasItsOwnGroup(t *testing.T) {
	p := shell(t, "sleep 600")
	group, err := syscall.Getpgid(p.PID())
	if err != nil || group != p.PID() || group == syscall.Getpgrp() {
		t.Errorf("child %d is in group %d, we in %d: %v", p.PID(), group, syscall.Getpgrp(), err)
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command process.Command
		want    string
	}{
		{process.Command{Path: dir + "/missing"}, "missing: start: fork/exec " + dir + "/missing: no such file or directory"},
		{process.Command{Path: text}, "text: start: fork/exec " + text + ": exec format error"},
		{process.Command{Path: "/bin/sh", LogPath: dir + "/no/log"}, "log: open " + dir + "/no/log: no such file or directory"},
	} {
		if _, err := process.Start(c.command); err == nil || err.Error() != c.want {
			t.Errorf("Start said %v, want %s", err, c.want)
		}
	}
}

func TestEnvironmentIsAnAllowList(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hush")
	t.Setenv("GOPROXY", "off")
	t.Setenv("TMPDIR", "/somewhere")
	var out bytes.Buffer
	p, err := process.Start(process.Command{Path: "/usr/bin/env", Stdout: &out, Env: append(process.Environ("GOPROXY", "UNSET_VARIABLE"), "MINE=1")})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	want := fmt.Sprintf("HOME=%s\nPATH=%s\nTMPDIR=/somewhere\nGOPROXY=off\nMINE=1\n", os.Getenv("HOME"), os.Getenv("PATH"))
	if out.String() != want {
		t.Errorf("the child sees\n%s\nwant\n%s", out.String(), want)
	}
}

// TestStdin: the child receives what is written to its standard input, and the end of it.
func TestStdin(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p, err := process.Start(process.Command{Path: "/bin/cat", Stdin: read, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	fmt.Fprint(write, "hello")
	write.Close()
	<-p.Done()
	if out.String() != "hello" || p.Err() != nil {
		t.Errorf("cat printed %q: %v", out.String(), p.Err())
	}
	// Without Stdin the child reads nothing, not the parent's own input.
	q, err := process.Start(process.Command{Path: "/bin/cat"})
	if err != nil {
		t.Fatal(err)
	}
	<-q.Done()
	if q.Err() != nil {
		t.Error(q.Err())
	}
}

func TestLogIsPrivate(t *testing.T) {
	p := shell(t, "echo hello")
	<-p.Done()
	info, err := os.Stat(p.LogPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("log: %v %v", info.Mode(), err)
	}
}

func TestTail(t *testing.T) {
	long := strings.Repeat("x", 5000)
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "line %d\n", i)
	}
	for _, c := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"empty", "", 3, ""},
		{"fewer than asked for", "a\nb\n", 3, "a|b"},
		{"more than asked for", "a\nb\nc\n", 2, "b|c"},
		{"blank lines within", "a\n\nb\n", 3, "a||b"},
		{"none", "a\n", 0, ""},
		{"long line", long, 1, long[:2048] + " ..."},
		{"long log", many.String(), 2, "line 99998|line 99999"},
		{"endless line", strings.Repeat("y", 1<<20), 1, strings.Repeat("y", 2048) + " ..."},
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(process.Tail(path, c.n), "|"); got != c.want {
			t.Errorf("%s: %.100q, want %.100q", c.name, got, c.want)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if got, want := strings.Join(process.Tail(missing, 1), "|"), "(log unreadable: open "+missing+": no such file or directory)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Tail never reads what is before the last 256 KiB.
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := len(process.Tail(path, 1_000_000)); got < 1000 || got > 256<<10/len("line 99999") {
		t.Errorf("read %d lines", got)
	}
}
