//go:build unix

package typedclient_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// parent makes the test binary run as a parent that starts the program at this path and waits
// to be killed.
const parent = "SKEWSIM_TYPEDCLIENT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if path := os.Getenv(parent); path != "" {
		p, err := typedclient.Start(typedclient.Build{Version: newer, Path: path}, "")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(p.PID())
		select {}
	}
	os.Exit(m.Run())
}

// script returns a build that is a shell script instead of a real program. $HELLO is a file
// with the first frame of a program without kinds.
func script(t *testing.T, text string) (typedclient.Build, string) {
	t.Helper()
	dir := t.TempDir()
	hello, err := program.NewFrame(0, nil, []byte(`{"release":"`+older+`","kinds":[]}`))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(dir+"/hello", hello, 0o600))
	text = "#!/bin/sh\nHELLO=" + dir + "/hello\n" + text + "\n"
	require.NoError(t, os.WriteFile(dir+"/program", []byte(text), 0o700))
	return typedclient.Build{Version: older, Path: dir + "/program"}, dir + "/log"
}

// crash prints the end of the output of a Go program that crashed.
const crash = `echo before >&2; echo 'runtime: goroutine stack exceeds 1000000000-byte limit' >&2; echo 'fatal error: stack overflow' >&2
i=0; while [ $i -lt 500 ]; do echo "main.f($i)" >&2; i=$((i+1)); done; exit 2`

func TestProgramsThatDoNotStart(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ends at once", "echo no >&2; exit 3", "exited with status 3; log: LOG; its last lines:\n  no"},
		{"silent", "exit 0", "exited with status 0; log: LOG"},
		{"killed", "kill -9 $$", "was killed by signal 9 (killed); log: LOG"},
		{"crashes", crash, "exited with status 2; log: LOG; its last lines:\n  runtime: goroutine stack exceeds 1000000000-byte limit\n" +
			"  fatal error: stack overflow\n  main.f(0)\n  main.f(1)\n  main.f(2)\n  main.f(3)\n  main.f(4)\n  main.f(5)"},
		{"no frame", "echo hello, this is no frame; cat >/dev/null", "a frame has at most 67108864 bytes, this one has 1865162868; killed it; log: LOG"},
		{"half a frame", `head -c 20 "$HELLO"`, "exited with status 0; log: LOG"},
		{"another first frame", `printf '\0\0\0\1\0\0\0\0'; cat >/dev/null`, "its first frame is damaged; killed it; log: LOG"},
		{"another release", `sed s/1.36.3/1.36.4/ "$HELLO"; cat >/dev/null`, "the program is of release v1.36.4; killed it; log: LOG"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, log := script(t, c.text)
			_, err := typedclient.Start(b, log)
			var exit *typedclient.ExitError
			require.ErrorAs(t, err, &exit)
			assert.EqualError(t, err, "typed-client v1.36.3: "+strings.ReplaceAll(c.want, "LOG", log))
		})
	}
	_, err := typedclient.Start(typedclient.Build{Version: older, Path: "/missing"}, "")
	assert.EqualError(t, err, "typed-client v1.36.3: missing: start: fork/exec /missing: no such file or directory")
}

// TestChangedProgram: a program that was replaced after its build is not run.
func TestChangedProgram(t *testing.T) {
	b, log := script(t, `cat "$HELLO"; cat >/dev/null`)
	var err error
	b.File, err = process.FileOf(b.Path)
	require.NoError(t, err)
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	require.NoError(t, os.Rename(b.Path, b.Path+"-old"))
	require.NoError(t, os.WriteFile(b.Path, []byte("#!/bin/sh\n"), 0o700))
	_, err = typedclient.Start(b, log)
	var changed *servers.ChangedError
	require.ErrorAs(t, err, &changed)
	assert.Equal(t, b.Path, changed.Path)
}

// TestArguments: a program is run with the arguments of its build.
func TestArguments(t *testing.T) {
	b, log := script(t, `echo "$@" >&2; cat "$HELLO"; cat >/dev/null`)
	b.Args = []string{"clients", "--release", "1.1+required"}
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	said, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, "clients --release 1.1+required\n", string(said))
}

// TestProgramThatHangs: neither a call nor Close waits forever.
func TestProgramThatHangs(t *testing.T) {
	b, log := script(t, `cat "$HELLO"; exec sleep 600`)
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	var calls sync.WaitGroup
	for range 100 { // some get into the pipe, some into the queue, the rest nowhere
		calls.Go(func() {
			_, err := p.Carry(ctx, typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: make([]byte, 100<<10)})
			assert.EqualError(t, err, "carry v1 Pod: typed-client v1.36.3: interrupted")
		})
	}
	cancel(errors.New("interrupted"))
	calls.Wait()
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod")})
	assert.ErrorIs(t, err, typedclient.ErrClosed)
	require.NoError(t, <-closed)
	assert.Error(t, syscall.Kill(p.PID(), 0))
}

// TestProgramThatAnswersNonsense: the program is killed, and the error says so.
func TestProgramThatAnswersNonsense(t *testing.T) {
	b, log := script(t, `cat "$HELLO"; head -c 1 >/dev/null; printf '\0\0\0\1\0\0\0\4abcd'; cat >/dev/null`)
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod")})
	assert.EqualError(t, err, "carry v1 Pod: typed-client v1.36.3: its answer is damaged; killed it; log: "+log)
	var exit *typedclient.ExitError
	assert.ErrorAs(t, p.Close(), &exit)
}

// TestProgramThatDies: all calls fail, current and later ones.
func TestProgramThatDies(t *testing.T) {
	b, log := script(t, `cat "$HELLO"; head -c 1 >/dev/null; `+crash)
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	for range 2 {
		_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod")})
		assert.ErrorContains(t, err, "carry v1 Pod: typed-client v1.36.3: exited with status 2; log: "+log+"; its last lines:\n  runtime: goroutine stack")
	}
}

func TestKubernetesProgramThatDies(t *testing.T) {
	real, err := typedclient.Start(buildOf(t, newer), "")
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(real.PID(), syscall.SIGKILL))
	for range 3 {
		_, err = real.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)})
		assert.EqualError(t, err, "carry v1 Pod: typed-client v1.37.0: was killed by signal 9 (killed)")
	}
	assert.EqualError(t, real.Close(), "typed-client v1.37.0: was killed by signal 9 (killed)")
}

func TestKubernetesPanicIsAnAnswer(t *testing.T) {
	p := run(t, newer)
	for range 20 { // more than there are workers
		assert.EqualError(t, p.Panic(t.Context()), "typed-client v1.37.0: panic v1 Pod: panic: as requested")
	}
	_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)})
	assert.NoError(t, err)
}

// TestKubernetesManyCallers: each caller gets the answer to its own request.
func TestKubernetesManyCallers(t *testing.T) {
	p := run(t, newer)
	var callers sync.WaitGroup
	for i := range 32 {
		callers.Go(func() {
			for j := range 50 {
				name := fmt.Sprintf("%d-%d", i, j)
				body := fmt.Sprintf(`{"metadata":{"name":%q},"data":{"x":%q}}`, name, strings.Repeat("x", i*j))
				got, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 ConfigMap"), Body: []byte(body)})
				assert.NoError(t, err)
				assert.Contains(t, string(got), `"name":"`+name+`"`)
			}
		})
	}
	callers.Wait()
}

// TestKubernetesContext: a cancelled call does not affect the program.
func TestKubernetesContext(t *testing.T) {
	p := run(t, newer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 200 {
		if _, err := p.Carry(ctx, typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)}); err != nil {
			assert.ErrorIs(t, err, context.Canceled)
		}
	}
	_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)})
	assert.NoError(t, err)
}

func TestKubernetesClose(t *testing.T) {
	p, err := typedclient.Start(buildOf(t, newer), "")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, p.Close())
		_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)})
		assert.EqualError(t, err, "carry v1 Pod: typed-client v1.37.0: the program was closed")
	}
}

// TestKubernetesDiesWithItsParent: the program dies with its parent, even when the parent is
// killed.
func TestKubernetesDiesWithItsParent(t *testing.T) {
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), parent+"="+buildOf(t, newer).Path)
	out, err := helper.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, helper.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err, line)
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, helper.Process.Kill())
	_ = helper.Wait() // says that it was killed
	require.Eventually(t, func() bool { return !alive(pid) }, 10*time.Second, 2*time.Millisecond)
}

// alive returns false for a zombie, which nobody may have waited for yet.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}

// TestKubernetesTouchesNothing: after operations of every kind the program has only its pipes
// and its log open, no file and no socket.
func TestKubernetesTouchesNothing(t *testing.T) {
	p := run(t, newer)
	dir := fmt.Sprintf("/proc/%d/fd", p.PID())
	if _, err := os.Stat(dir); err != nil {
		t.Skip("only Linux lists a process's open files")
	}
	v1Pod, body := kind(t, "v1 Pod"), pod(t)
	_, err := p.Diff(t.Context(), typedclient.DiffRequest{Kind: v1Pod, Before: body, After: body})
	require.NoError(t, err)
	_, err = p.Extract(t.Context(), typedclient.ExtractRequest{Kind: v1Pod, Live: body, Manager: "m"})
	require.NoError(t, err)
	// Go's runtime reads the number of cores from the kernel; other descriptors may be
	// inherited.
	ours := `^(pipe:.*|anon_inode:.*|.*/log|/sys/fs/cgroup/.*|/dev/null)$`
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, file := range files {
		target, err := os.Readlink(filepath.Join(dir, file.Name()))
		require.NoError(t, err)
		assert.Regexp(t, ours, target)
	}
}

// TestKubernetesFrames sends frames to the program: it refuses those that it cannot decode, and
// continues.
func TestKubernetesFrames(t *testing.T) {
	c := exec.Command(buildOf(t, newer).Path)
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	answer := func() (uint32, string, string) {
		id, parts, err := program.ReadFrame(out)
		require.NoError(t, err)
		require.Len(t, parts, 2)
		return id, string(parts[0]), string(parts[1])
	}
	id, refusal, hello := answer()
	assert.Zero(t, id)
	assert.Empty(t, refusal)
	assert.Contains(t, hello, `"release":"v1.37.0"`)
	assert.True(t, json.Valid([]byte(hello)))
	frame := func(id uint32, parts ...string) []byte {
		var all [][]byte
		for _, part := range parts {
			all = append(all, []byte(part))
		}
		f, err := program.NewFrame(id, all...)
		require.NoError(t, err)
		return f
	}
	const carry = `{"Operation":"carry","Version":"v1","Kind":"Pod","From":"application/json","To":"application/json"}`
	for _, c := range []struct {
		frame []byte
		want  string
	}{
		{frame(1), "the request is damaged"},
		{frame(2, "x"), "the request is damaged: invalid character 'x' looking for beginning of value"},
		{frame(3, "{}"), `operation "" with 0 bodies: not known`},
		{frame(4, carry), `operation "carry" with 0 bodies: not known`},
		{frame(5, carry, "{}", "{}"), `operation "carry" with 2 bodies: not known`},
		{[]byte("\x00\x00\x00\x06\x00\x00\x00\x03abc"), "the request is damaged"},
		{[]byte("\x00\x00\x00\x07\x00\x00\x00\x06\x00\x00\x01\x00ab"), "the request is damaged"},
		{append([]byte("\x00\x00\x00\x08\x04\x00\x00\x01"), make([]byte, 64<<20+1)...), "the request: a frame has at most 67108864 bytes, this one has 67108865"},
		{frame(9, carry, "{}"), ""},
	} {
		_, err := in.Write(c.frame)
		require.NoError(t, err)
		id, refusal, _ := answer()
		assert.Equal(t, uint32(c.frame[3]), id)
		assert.Equal(t, c.want, refusal)
	}
	require.NoError(t, in.Close())
	rest, err := io.ReadAll(out)
	assert.NoError(t, err)
	assert.Empty(t, rest)
	assert.NoError(t, c.Wait())
}

// TestProgramThatIsStopped: a program that is stopped is ended after a limit, and named; one that answers
// late, within the limit, is not.
func TestProgramThatIsStopped(t *testing.T) {
	b, log := script(t, `cat "$HELLO"; kill -STOP $$; cat`)
	p, err := typedclient.Start(b, log)
	require.NoError(t, err)
	p.AnswerWithin(50 * time.Millisecond)
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod")})
	var exit *typedclient.ExitError
	require.ErrorAs(t, err, &exit)
	assert.True(t, exit.Late)
	assert.Equal(t, fault.ClientLate, fault.Of(err).Failure)
	assert.Error(t, syscall.Kill(p.PID(), 0))

	b, log = script(t, `cat "$HELLO"; head -c 1 >/dev/null; sleep 0.1; exit 3`)
	p, err = typedclient.Start(b, log)
	require.NoError(t, err)
	p.AnswerWithin(time.Minute)
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod")})
	require.ErrorAs(t, err, &exit)
	assert.False(t, exit.Late)
}
