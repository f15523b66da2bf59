package oracle_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// filed writes the run as a run directory.
func filed(run *oracletest.Run, t testing.TB) string {
	t.Helper()
	run.History.Header.SchemaVersion = history.SchemaVersion
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, history.FileName), []byte(strings.Join(lines(run), "")), 0o600))
	return dir
}

func loaded(t testing.TB, dir string) *history.History {
	t.Helper()
	h, err := history.Load(dir)
	require.NoError(t, err)
	return h
}

// TestBodiesAreReadFromTheFile holds that what is judged from a file comes out as what is
// judged from memory; and that where a body cannot be read back, nothing is found for want
// of it, and nothing passes.
func TestBodiesAreReadFromTheFile(t *testing.T) {
	run := large(t, 8)
	dir := filed(run, t)
	want, ledger := run.Judge()
	require.NotEmpty(t, want.Findings)
	res, rows := oracle.Judge(loaded(t, dir), run.Schemas)
	want.Notes, want.Timing, want.Counts = res.Notes, res.Timing, res.Counts // the run has no times
	assert.Equal(t, want, res)
	assert.Equal(t, ledger, rows)

	h := loaded(t, dir)
	loseBodies(t, dir)
	res, _ = oracle.Judge(h, run.Schemas)
	var broken *history.BodyError
	require.ErrorAs(t, h.Err(), &broken)
	assert.Empty(t, res.Findings)
	assert.Equal(t, term.Unknown, res.Verdict)
	for _, c := range res.Checks {
		assert.NotContains(t, []term.VerdictWord{term.Pass, term.Impacts}, c.Verdict, c.Name)
	}
}

// loseBodies cuts the temporary files with the bodies of the histories in a directory, as a disk that fails does.
func loseBodies(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	lost := 0
	for _, file := range files {
		if target, _ := os.Readlink(file); strings.HasPrefix(target, filepath.Join(dir, ".bodies-")) {
			require.NoError(t, os.Truncate(file, 4000))
			lost++
		}
	}
	if runtime.GOOS == "linux" {
		require.NotZero(t, lost)
	}
	if lost == 0 {
		t.Skip("files without a name are found on Linux only")
	}
}

// TestMemoryOfACopy holds how much a copy more takes: of the history that is loaded, and of
// the ledger that comes of it; and that a copy among many is judged with about as many
// allocations as one among few. Some more are for bodies that are read again once not all
// of them are kept; what walks all copies for each has twice as many.
func TestMemoryOfACopy(t *testing.T) {
	if testing.Short() {
		t.Skip("judges some hundred copies")
	}
	few, many := costOf(t, 200), costOf(t, 400)
	perCopy := func(one, other uint64) uint64 { return (max(one, other) - one) / 200 }
	history, ledger := perCopy(few.history, many.history), perCopy(few.ledger, many.ledger)
	t.Logf("a copy more: %d bytes of history, %d bytes of ledger, %d allocations", history, ledger, perCopy(few.mallocs, many.mallocs))
	assert.Less(t, history, uint64(14_000))
	assert.Less(t, ledger, uint64(14_000))
	assert.Less(t, float64(many.mallocs)/400, 1.4*float64(few.mallocs)/200, "allocations of a copy")
}

type cost struct{ history, ledger, mallocs uint64 }

func costOf(t *testing.T, copies int) cost {
	run := large(t, copies)
	dir, schemas := filed(run, t), run.Schemas // the run itself goes
	empty := heap()
	h := loaded(t, dir)
	read := heap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, ledger := oracle.Judge(h, schemas)
	runtime.ReadMemStats(&after)
	judged := heap()
	runtime.KeepAlive(h)
	runtime.KeepAlive(ledger)
	return cost{history: max(read, empty) - empty, ledger: max(judged, read) - read, mallocs: after.Mallocs - before.Mallocs}
}
