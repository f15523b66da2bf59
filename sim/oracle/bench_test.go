package oracle_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// large has many copies on the default journey: each is created, touched
// once through one of the releases, and looked at at every edge.
func large(t testing.TB, copies int) *oracletest.Run {
	run := oracletest.NewMixed(t)
	spec := func(i int) string {
		return fmt.Sprintf(`{"colour": "red", "size": "%d", "shine": {"level": %d}, "tags": ["a", "b"], "args": ["one", "two"], "notes": {"k": "v", "l": "w"},
			"parts": [{"name": "x", "count": 1}, {"name": "y", "count": 2}, {"name": "z", "count": 3}], "finish": {"tone": "dark", "gloss": 7}}`, i, i)
	}
	name := func(i int) string { return fmt.Sprintf("treated-%d", i) }
	for i := range copies {
		run.Create(name(i), spec(i))
	}
	run.Observe()
	stages := []struct {
		name string
		a, b term.Role
	}{{"new", term.New, term.New}, {"rolling-back 1/2", term.New, term.Old}, {"rolled-back", term.Old, term.Old}, {"re-upgraded", term.New, term.New}}
	for n, stage := range stages {
		run.Stage(stage.name, stage.a, stage.b)
		run.Observe()
		for i := n; i < copies; i += len(stages) {
			if i%2 == 0 {
				run.Put(name(i), oracletest.ReadVia("a"), oracletest.Via("b"))
			} else {
				run.Patch(name(i), oracletest.Via("b"))
			}
		}
		run.Observe()
	}
	return run
}

// BenchmarkJudge measures what judging costs for each copy, and what it holds at
// once beside the history itself.
func BenchmarkJudge(b *testing.B) {
	for _, copies := range []int{500, 2000} {
		b.Run(fmt.Sprint(copies), func(b *testing.B) {
			run := large(b, copies)
			before := heap()
			b.ResetTimer()
			for range b.N {
				res, ledger := run.Judge()
				b.StopTimer()
				b.ReportMetric(float64(heap()-before)/float64(copies), "heldB/copy")
				if len(res.Findings) == 0 || len(ledger.Copies) != copies {
					b.Fatalf("%d findings, %d copies", len(res.Findings), len(ledger.Copies))
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*copies), "µs/copy")
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
