package container_test

import (
	"bufio"
	"context"
	"fmt"
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
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/container/containertest"
)

// own is a process that owns containers and creates another one all the time. It prints each
// number before it requests the container.
func own(image string) {
	self, err := os.Executable()
	check(err)
	e, err := container.Open(context.Background(), container.Config{Guard: []string{self, "guard"}})
	check(err)
	fmt.Println(e.Name())
	dir, err := os.MkdirTemp("", "owner-")
	check(err)
	for i := 0; ; i++ {
		fmt.Println("making", i)
		_, err := e.Start(context.Background(), servers.Build{Image: image, Path: "kube-apiserver"}, apiserver.Command{
			Arguments: []string{"--serve"}, LogPath: filepath.Join(dir, strconv.Itoa(i)),
		})
		check(err)
	}
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// owner is a process that runs own.
type owner struct {
	process *exec.Cmd
	run     string
	lines   *bufio.Scanner
}

// newOwner starts an owner, which is killed when the test ends.
func newOwner(t *testing.T, image string) *owner {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	o := &owner{process: exec.Command(self, "own", image)}
	out, err := o.process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, o.process.Start())
	t.Cleanup(o.kill)
	o.lines = bufio.NewScanner(out)
	require.True(t, o.lines.Scan())
	o.run = o.lines.Text()
	return o
}

// makes waits until the owner is about to create a container; the first one is number 0.
func (o *owner) makes(t *testing.T, number int) {
	t.Helper()
	for o.lines.Scan() {
		if o.lines.Text() == fmt.Sprint("making ", number) {
			return
		}
	}
	t.Fatalf("the owner ended before it made container %d", number)
}

// kill ends the owner at once, as a kernel short of memory does.
func (o *owner) kill() {
	_ = o.process.Process.Kill()
	_ = o.process.Wait()
}

// guards returns the processes that guard a run.
func guards(t *testing.T, run string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !strings.HasSuffix(strings.TrimRight(string(line), "\x00"), "\x00guard\x00"+run) {
			continue // gone, or another's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	return pids
}

func (o *owner) left(t *testing.T) []string { return containertest.Left(t, "dev.skewsim.run="+o.run) }

// nothingLeft waits until neither a container nor a guard is left.
func (o *owner) nothingLeft(t *testing.T) {
	t.Helper()
	assert.Eventually(t, func() bool { return len(guards(t, o.run)) == 0 }, time.Minute, 20*time.Millisecond, "the guard ends")
	assert.Empty(t, o.left(t), "and nothing is left by then")
}

// ownersImage returns the ID of the image that owners run.
func ownersImage(t *testing.T) string {
	t.Helper()
	e := open(t)
	b, err := e.Build(t.Context(), image(t, "/usr/local/bin/kube-apiserver"), programs(), noPull)
	require.NoError(t, err)
	return b.Image
}

// TestPagesNothingIsLeft: an owner that is killed at any moment leaves nothing, even if the
// engine is about to create a container.
func TestPagesNothingIsLeft(t *testing.T) {
	image := ownersImage(t)
	var all sync.WaitGroup
	for _, after := range []time.Duration{0, 5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond, 200 * time.Millisecond} {
		o := newOwner(t, image)
		o.makes(t, 1)
		<-time.After(after) // the engine's progress is unknown
		o.kill()
		began := time.Now()
		all.Go(func() { // each guard waits a while for late containers
			o.nothingLeft(t)
			t.Logf("killed %s after it asked for another: nothing is left after %s", after, time.Since(began).Round(time.Millisecond))
		})
	}
	all.Wait()
}

// TestPagesGuardHeedsNoSignal: signals that end the owner's whole session do not end the guard.
func TestPagesGuardHeedsNoSignal(t *testing.T) {
	o := newOwner(t, ownersImage(t))
	o.makes(t, 1)
	pids := guards(t, o.run)
	require.Len(t, pids, 1)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		require.NoError(t, syscall.Kill(pids[0], s))
	}
	own, err := syscall.Getpgid(os.Getpid())
	require.NoError(t, err)
	group, err := syscall.Getpgid(pids[0])
	require.NoError(t, err)
	assert.NotEqual(t, own, group, "a terminal's Ctrl-C does not reach it")
	assert.Equal(t, pids, guards(t, o.run))
	assert.NotEmpty(t, o.left(t), "it waits for its owner")
	o.kill()
	o.nothingLeft(t)
}

// TestPagesSweep: containers of dead owners whose guards were killed too are removed by the
// next run; containers of live owners are not.
func TestPagesSweep(t *testing.T) {
	image := ownersImage(t)
	dead, living := newOwner(t, image), newOwner(t, image)
	dead.makes(t, 1)
	living.makes(t, 1)
	for _, pid := range guards(t, dead.run) {
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	}
	dead.kill()
	require.NotEmpty(t, dead.left(t), "nobody is there to remove them")
	// This includes a container whose creation was in flight.
	require.Eventually(t, func() bool {
		e := open(t)
		defer e.Close()
		return len(dead.left(t)) == 0
	}, time.Minute, 100*time.Millisecond)
	assert.NotEmpty(t, living.left(t))
}
