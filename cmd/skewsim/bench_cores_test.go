package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/neighbours"
)

// BenchmarkCores sweeps one kind of two releases on one core and on two, and says from that what more cores would bring: the part of the
// work that is done one after the other takes as long on any number of them (Amdahl's law). On more cores than were there the figures
// are on paper.
func BenchmarkCores(b *testing.B) {
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		b.Skip("taskset and two cores are needed")
	}
	old, new := neighbours.Pair(b)
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "skewsim"))
	require.NoError(b, err)
	sweep := func(cores string) float64 {
		began := time.Now()
		c := exec.CommandContext(b.Context(), "taskset", "-c", cores, binary, "sweep", pairOf(old, new), "--kind", "Deployment.apps", "--out", filepath.Join(b.TempDir(), "out"), "--fail-on", "none")
		said, err := c.CombinedOutput()
		require.NoError(b, err, "%s", said)
		return time.Since(began).Seconds()
	}
	for b.Loop() {
		one, two := sweep("0"), sweep("0,1")
		divided := 2 * (one - two)
		serial := one - divided
		b.ReportMetric(one, "s-on-1")
		b.ReportMetric(two, "s-on-2")
		b.ReportMetric(serial+divided/4, "s-on-4")
		b.ReportMetric(serial+divided/8, "s-on-8")
		b.ReportMetric(serial+divided/16, "s-on-16")
		b.ReportMetric(serial/one, "serial-share")
	}
}
