package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/skewsim/skewsim/sim/sweep"
)

// sweptKinds is the number of kinds of each pair of manifests in BenchmarkDifferences.
const sweptKinds = 10

// addedFields are the fields that the new manifests add to each of these kinds.
var addedFields = []int{1, 4, 8, 16}

// sweptPair is the cost of one whole sweep: of the simulator, and of every etcd and API server
// that the sweep starts.
type sweptPair struct {
	differences int
	wall, cpu   float64 // in seconds
}

// BenchmarkDifferences sweeps pairs of manifests with more and more differences, and shows that
// the cost of a sweep grows linearly with the number of differences.
//
// Each point is one `skewsim sweep crd:OLD..crd:NEW`, as a process of its own, on the newest
// kube-apiserver that is built. The old manifests define ten kinds of custom resources; the new
// ones define the same kinds with 1, 4, 8 or 16 more fields each, which are 10 to 160 differences.
// Each difference has an object that is played through the upgrade, the rollback and the second
// upgrade. What a sweep costs without any difference, such as the starts of its servers and the
// comparison of ten kinds, is where the least-squares line meets the axis. The ratio of slopes
// compares the cost of one more difference in the second half of the points with its cost in the
// first half: 1 is a straight line. CPU time depends less than wall time on what else the machine
// does. The plot is out/bench/differences.svg.
func BenchmarkDifferences(b *testing.B) {
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "skewsim"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var wall, cpu plotter.XYs
		for _, fields := range addedFields {
			s := sweepManifests(b, binary, fields)
			b.Logf("%4d differences in %d kinds: %.1f s, %.1f s of CPU time", s.differences, sweptKinds, s.wall, s.cpu)
			wall = append(wall, plotter.XY{X: float64(s.differences), Y: s.wall})
			cpu = append(cpu, plotter.XY{X: float64(s.differences), Y: s.cpu})
		}
		for name, points := range map[string]plotter.XYs{"wall": wall, "CPU": cpu} {
			line := leastSquares(points)
			b.ReportMetric(line.slope*100, name+"-s/100-differences")
			b.ReportMetric(line.intercept, name+"-s-fixed")
			b.ReportMetric(line.r2, name+"-r2")
			b.ReportMetric(ratioOfSlopes(points), name+"-ratio-of-slopes")
		}
		plotDifferences(b, wall, cpu)
	}
}

// sweepManifests sweeps a generated pair of manifests that has so many more fields a kind.
func sweepManifests(b *testing.B, binary string, fields int) sweptPair {
	b.Helper()
	dir := b.TempDir()
	writeManifests(b, filepath.Join(dir, "old"), 0)
	writeManifests(b, filepath.Join(dir, "new"), fields)
	c := exec.CommandContext(b.Context(), binary, "sweep", "crd:old..crd:new", "--out", "out", "--fail-on", "none")
	var said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &said, &said
	began := time.Now()
	if err := c.Run(); err != nil {
		b.Fatalf("%d more fields: %v\n%s", fields, err, said.String())
	}
	s := sweptPair{wall: time.Since(began).Seconds(), cpu: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()}
	var r sweep.Result
	raw, err := os.ReadFile(filepath.Join(dir, "out", "sweep.json"))
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		b.Fatal(err)
	}
	if s.differences = r.Totals.Exercised; s.differences != fields*sweptKinds {
		b.Fatalf("%d more fields in each of %d kinds, and %d differences exercised:\n%s", fields, sweptKinds, s.differences, said.String())
	}
	return s
}

// writeManifests writes the definitions of some kinds, each with so many more fields.
func writeManifests(b *testing.B, dir string, fields int) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	types := []string{"{type: string}", "{type: integer}", "{type: boolean}", "{type: array, items: {type: string}}"}
	for k := range sweptKinds {
		var added strings.Builder
		for f := range fields {
			// The same field in several kinds is one difference, of which one place is played.
			fmt.Fprintf(&added, "              added%dOf%d: %s\n", f, k, types[f%len(types)])
		}
		text := fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadget%[1]ds.bench.example.dev}
spec:
  group: bench.example.dev
  scope: Namespaced
  names: {plural: gadget%[1]ds, singular: gadget%[1]d, kind: Gadget%[1]d, listKind: Gadget%[1]dList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
%[2]s`, k, added.String())
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("gadget%d.yaml", k)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// line is the least-squares line of points.
type line struct{ slope, intercept, r2 float64 }

func (l line) at(x float64) float64 { return l.intercept + l.slope*x }

func leastSquares(points plotter.XYs) (l line) {
	n := float64(len(points))
	var x, y, xx, xy, yy float64
	for _, p := range points {
		x, y, xx, xy, yy = x+p.X, y+p.Y, xx+p.X*p.X, xy+p.X*p.Y, yy+p.Y*p.Y
	}
	varX, covXY, varY := xx-x*x/n, xy-x*y/n, yy-y*y/n
	l.slope = covXY / varX
	l.intercept = (y - l.slope*x) / n
	l.r2 = covXY * covXY / (varX * varY)
	return l
}

// ratioOfSlopes compares what one more of X costs between the last two points with what it costs
// before.
func ratioOfSlopes(points plotter.XYs) float64 {
	first, middle, last := points[0], points[len(points)-2], points[len(points)-1]
	return (last.Y - middle.Y) / (last.X - middle.X) / ((middle.Y - first.Y) / (middle.X - first.X))
}

// plotDifferences draws the points, and the least-squares line of each cost.
func plotDifferences(b *testing.B, wall, cpu plotter.XYs) {
	b.Helper()
	p := plot.New()
	p.Title.Text = fmt.Sprintf("cost of a sweep by the number of differences, in %d kinds", sweptKinds)
	p.X.Label.Text, p.Y.Label.Text = "differences", "seconds"
	p.X.Min, p.Y.Min = 0, 0
	p.Legend.Left, p.Legend.Top = true, true
	for i, cost := range []struct {
		name   string
		points plotter.XYs
	}{{"CPU time", cpu}, {"wall time", wall}} {
		l, last := leastSquares(cost.points), cost.points[len(cost.points)-1].X
		drawn, err := plotter.NewLine(plotter.XYs{{X: 0, Y: l.at(0)}, {X: last, Y: l.at(last)}})
		if err != nil {
			b.Fatal(err)
		}
		measured, err := plotter.NewScatter(cost.points)
		if err != nil {
			b.Fatal(err)
		}
		drawn.Color, measured.Color, measured.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		p.Add(drawn, measured)
		p.Legend.Add(fmt.Sprintf("%s: %.1f s + %.3f s for each difference, r² %.3f", cost.name, l.intercept, l.slope, l.r2), drawn, measured)
	}
	savePlot(b, p, "differences.svg")
}

// savePlot writes a plot into out/bench.
func savePlot(b *testing.B, p *plot.Plot, name string) {
	b.Helper()
	dir := filepath.Join("..", "..", "out", "bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := p.Save(16*vg.Centimeter, 10*vg.Centimeter, filepath.Join(dir, name)); err != nil {
		b.Fatal(err)
	}
}
