package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/plan"
)

// size is what a run of some copies cost.
type size struct {
	copies    int
	seconds   float64
	allocated float64 // by the simulator with its etcd, at its highest, in MB
	judging   float64 // of judging and reporting alone, in seconds
}

// BenchmarkScale plays the same journey with 1,250 to 10,000 copies, and shows
// that its cost grows with their number and no faster: what a copy adds among
// the last 5,000 is held against what it adds before. Fewer than a thousand
// would show nothing: they are played while the next servers start. The plot is
// left in out/bench/scale.svg.
func BenchmarkScale(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "skewsim")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for b.Loop() {
		var all []size
		for _, copies := range []int{1250, 2500, 5000, 10_000} {
			s := playMany(b, binary, copies)
			b.Logf("%6d copies: %.1f s, judging and reports %.1f s, allocated by the simulator %.0f MB", s.copies, s.seconds, s.judging, s.allocated)
			b.ReportMetric(s.allocated, fmt.Sprintf("MB-at-%d", copies))
			all = append(all, s)
		}
		few, many := slope(all[0], all[2]), slope(all[2], all[3])
		b.ReportMetric(few, "s/1000-copies-to-5000")
		b.ReportMetric(many, "s/1000-copies-to-10000")
		b.ReportMetric(many/few, "ratio-of-slopes")
		plotSizes(b, all)
	}
}

// slope is what 1,000 more copies take between two runs, in seconds.
func slope(a, z size) float64 { return (z.seconds - a.seconds) / float64(z.copies-a.copies) * 1000 }

// playMany plays a journey with about so many copies as a process of its own,
// whose memory is then its own.
func playMany(b *testing.B, binary string, copies int) size {
	dir := b.TempDir()
	file, n := scenarioOf(b, dir, copies)
	out := filepath.Join(dir, "out")
	ctx, cancel := context.WithTimeout(b.Context(), 25*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, binary, "run", file, "--pair", pairUnderTest(b), "--quiet", "--out", out)
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	most := make(chan [2]float64)
	go func() { most <- memoryOf(c.Process.Pid) }()
	err := c.Wait()
	s := size{copies: n, allocated: (<-most)[1], seconds: found(said.String(), `time: ([0-9.]+) s in total`), judging: found(said.String(), `judging and reports ([0-9.]+) s`)}
	if s.seconds == 0 {
		b.Fatalf("%d copies: %v\n%s", n, err, said.String())
	}
	return s
}

// scenarioOf writes a scenario with about so many copies: as many lines as that
// takes, each of which makes as many as the next.
func scenarioOf(b *testing.B, dir string, copies int) (file string, planned int) {
	one, two := writeScenario(b, dir, 1), writeScenario(b, dir, 2)
	planned = writeScenario(b, dir, max(1, (copies-one)/(two-one)+1))
	return filepath.Join(dir, "many.yaml"), planned
}

func writeScenario(b *testing.B, dir string, lines int) int {
	text := `name: many
about: many copies of one kind, for the benchmark of scale
releases: {of: kube-apiserver, pair: kube-apiserver@v1.36.3..v1.37.0}
objects: {config: {bystander: config.yaml}}
play:
- {create: config, via: old}
`
	for i := range lines { // each has its own field, so that no two are the same
		text += fmt.Sprintf("- {set: config, fields: {.data.key%d: new}, verb: [put, merge-patch, json-patch], at: every}\n", i)
	}
	object := "apiVersion: v1\nkind: ConfigMap\ndata: {colour: green, size: large, shape: " + strings.Repeat("round ", 300) + "}\n"
	for name, content := range map[string]string{"many.yaml": text, "config.yaml": object} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s, err := load.File(filepath.Join(dir, "many.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	p, err := plan.Build(s, plan.Pair{Old: "kube-apiserver@v1.36.3", New: "kube-apiserver@v1.37.0"}, 0)
	if err != nil {
		b.Fatal(err)
	}
	return len(p.Copies)
}

// found is the number that the first group of a pattern matches, 0 for none.
func found(text, pattern string) float64 {
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	return n
}

func plotSizes(b *testing.B, all []size) {
	p := plot.New()
	p.Title.Text = "cost of a journey by the number of copies"
	p.X.Label.Text, p.Y.Label.Text = "copies", "seconds; MB / 10"
	seconds, memory := plotter.XYs{}, plotter.XYs{}
	for _, s := range all {
		seconds = append(seconds, plotter.XY{X: float64(s.copies), Y: s.seconds})
		memory = append(memory, plotter.XY{X: float64(s.copies), Y: s.allocated / 10})
	}
	if err := plotutil.AddLinePoints(p, "wall time, s", seconds, "memory, MB / 10", memory); err != nil {
		b.Fatal(err)
	}
	savePlot(b, p, "scale.svg")
}
