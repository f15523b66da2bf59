package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// TestPagesStoreThatDies: the etcd of a cell is killed while its servers are asked for what it
// holds. What they answer then is no finding, so the cell is played again, and passes.
func TestPagesStoreThatDies(t *testing.T) {
	r := tool(t)
	store := etcdImage(t)
	out := filepath.Join(t.TempDir(), "out")
	killing := make(chan int)
	go func() { killing <- killStore(t, out, 150) }()
	r.run("matrix", "frobber/add-field", "--pairs", "frobber@1.0..1.1", "--store", store, "--out", out).want(t, ExitExpected, "the store failed")
	assert.Equal(t, 1, <-killing, "stores were killed")
	wantNoServers(t, out)
	cell := stateIn(t, out).Cells[0]
	assert.Equal(t, term.Pass, cell.Verdict)
	assert.False(t, cell.Infrastructure)
	require.Len(t, cell.Attempts, 2)
	assert.Equal(t, "the store failed", cell.Attempts[0].Infrastructure)
}

// killStore kills the etcd of the run below a directory when so many operations were
// answered, with more under way, and returns how many it killed.
func killStore(t *testing.T, out string, operations int) (killed int) {
	for range 6000 {
		time.Sleep(10 * time.Millisecond)
		histories, _ := filepath.Glob(filepath.Join(out, "*", "*", history.FileName))
		if len(histories) == 0 {
			continue
		}
		raw, err := linesOf(filepath.Dir(histories[0]))
		if err != nil || strings.Count(string(raw), `"purpose":"act"`) < operations {
			continue
		}
		for _, pid := range storesBelow(t, out) {
			assert.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			killed++
		}
		return killed
	}
	return 0
}

// storesBelow are the processes of etcd that have their data below a directory.
func storesBelow(t *testing.T, out string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		program, args, _ := strings.Cut(string(raw), "\x00")
		if err != nil || filepath.Base(program) != "etcd" || !strings.Contains(args, out+"/") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	return pids
}
