package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"

	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
)

// preflown is what a preflight of some objects cost: the processor's time is that of the simulator and
// of its servers, the memory that of the simulator, with its etcd.
type preflown struct {
	objects   int
	wall, cpu float64 // in seconds
	// peak has what the simulator allocated and the pages of the stores' files that it has mapped, which
	// the kernel drops when others need the memory; allocated is without these. In MB.
	peak, allocated float64
}

// BenchmarkPreflight preflights clean stores of 2,000 to 20,000 objects, there and back, and shows that
// the cost grows linearly with the number of objects, of which two have a shape; and one of 20,000 in the few
// hundred shapes that a cluster has. SKEWSIM_OBJECTS has other numbers: 100000, or 100000/5 for five shapes of a kind.
// SKEWSIM_STORES is a directory that keeps the snapshots for another time. The plot is
// out/bench/preflight.svg.
func BenchmarkPreflight(b *testing.B) {
	counts, dir := "2000,5000,10000,20000,20000/5", b.TempDir()
	if given := os.Getenv("SKEWSIM_OBJECTS"); given != "" {
		counts = given
	}
	if given := os.Getenv("SKEWSIM_STORES"); given != "" {
		dir = given
	}
	old, new := neighbours.Pair(b)
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "skewsim"))
	require.NoError(b, err)
	for b.Loop() {
		var all []preflown
		for _, text := range strings.Split(counts, ",") {
			of, err := fillingOf(text)
			require.NoError(b, err)
			file := filepath.Join(dir, fmt.Sprintf("%s-%s.db", old.Version, strings.ReplaceAll(text, "/", "-in-")))
			cleanSnapshot(b, old, of, file)
			p := preflightOf(b, binary, file, old.Reference, new.Reference)
			b.Logf("%9s objects: %.0f s, %.0f s of CPU time, peak of the simulator %.0f MB, of which allocated %.0f MB", text, p.wall, p.cpu, p.peak, p.allocated)
			b.ReportMetric(p.allocated, "MB-at-"+text)
			b.ReportMetric(p.cpu, "CPU-s-at-"+text)
			b.ReportMetric(p.wall, "s-at-"+text)
			if of.ShapesOfKind == 0 {
				all = append(all, p)
			}
		}
		plotPreflights(b, all)
	}
}

// fillingOf reads 20000, or 20000/5 for objects in five shapes of each kind.
func fillingOf(text string) (of preflighttest.Filling, err error) {
	objects, shapes, few := strings.Cut(text, "/")
	of.Seed = 1
	if of.Objects, err = strconv.Atoi(objects); err == nil && few {
		of.ShapesOfKind, err = strconv.Atoi(shapes)
	}
	return of, err
}

func preflightOf(b *testing.B, binary, file, old, new string) preflown {
	b.Helper()
	c := exec.CommandContext(b.Context(), binary, "preflight", file, "--from", old, "--to", new, "--out", filepath.Join(b.TempDir(), "out"), "--timeout", "4h")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	began := time.Now()
	require.NoError(b, c.Start())
	peak := make(chan [2]float64)
	go func() { peak <- memoryOf(c.Process.Pid) }()
	require.NoError(b, c.Wait(), said.String())
	most := <-peak
	p := preflown{wall: time.Since(began).Seconds(), cpu: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), peak: most[0], allocated: most[1]}
	p.objects = int(found(said.String(), `(\d+) objects taken from`))
	require.NotZero(b, p.objects, said.String())
	b.Log(said.String())
	return p
}

// memoryOf returns the most memory that a process has held at a time, and the most that it had
// allocated, in MB.
func memoryOf(pid int) (most [2]float64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		now := found(string(status), `VmHWM:\s+([0-9]+) kB`)
		if err != nil || now == 0 { // it has ended
			return most
		}
		most[0], most[1] = max(most[0], now/1024), max(most[1], found(string(status), `RssAnon:\s+([0-9]+) kB`)/1024)
		time.Sleep(50 * time.Millisecond)
	}
}

func plotPreflights(b *testing.B, all []preflown) {
	p := plot.New()
	p.Title.Text = "cost of a preflight by the number of objects, one hop there and back"
	p.X.Label.Text, p.Y.Label.Text = "objects", "seconds; MB"
	p.X.Min, p.Y.Min = 0, 0
	p.Legend.Left, p.Legend.Top = true, true
	cpu, wall, memory := plotter.XYs{}, plotter.XYs{}, plotter.XYs{}
	for _, s := range all {
		x := float64(s.objects)
		cpu, wall, memory = append(cpu, plotter.XY{X: x, Y: s.cpu}), append(wall, plotter.XY{X: x, Y: s.wall}), append(memory, plotter.XY{X: x, Y: s.peak})
	}
	if len(all) > 2 {
		line := leastSquares(cpu)
		b.ReportMetric(line.slope*1000, "CPU-s/1000-objects")
		b.ReportMetric(line.intercept, "CPU-s-fixed")
		b.ReportMetric(line.r2, "CPU-r2")
		b.ReportMetric(ratioOfSlopes(cpu), "CPU-ratio-of-slopes")
	}
	require.NoError(b, plotutil.AddLinePoints(p, "CPU time, s", cpu, "wall time, s", wall, "peak memory of the simulator, MB", memory))
	savePlot(b, p, "preflight.svg")
}
