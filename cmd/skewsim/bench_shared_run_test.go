package main

import (
	"io"
	"path/filepath"
	"testing"
	"time"
)

// sharedRunScenarios are scenarios of kube-apiserver that share a journey.
var sharedRunScenarios = []string{"control", "control-right", "quiet"}

// BenchmarkSharedRun plays scenarios on one journey and, in the same run of the
// benchmark, each on servers of its own, as many at once as there are cores. What
// counts is the ratio: both are as slow as the machine is.
func BenchmarkSharedRun(b *testing.B) {
	playSeveral(b) // what the builds say of themselves is known from here on
	for b.Loop() {
		shared, alone := playSeveral(b), playSeveral(b, "--isolate")
		b.ReportMetric(float64(len(sharedRunScenarios)), "scenarios")
		b.ReportMetric(shared.Seconds(), "s-shared")
		b.ReportMetric(alone.Seconds(), "s-alone")
		b.ReportMetric(shared.Seconds()/alone.Seconds(), "ratio")
	}
}

func playSeveral(b *testing.B, flags ...string) time.Duration {
	b.Helper()
	args := append([]string{"run", "--pair", pairUnderTest(b), "--out", filepath.Join(b.TempDir(), "out")}, flags...)
	began := time.Now()
	if code := execute(b.Context(), &App{Out: io.Discard, Err: b.Output()}, append(args, sharedRunScenarios...)); code != ExitExpected {
		b.Fatalf("exit code %d", code)
	}
	return time.Since(began)
}
