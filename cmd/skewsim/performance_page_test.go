package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// measure is one figure of `make bench` that the page of performance shows.
type measure struct {
	about     string
	benchmark string // without Benchmark
	unit      string
	goal      string // "": none
}

// measures are the figures, in the order of the page: ratios first, which are the same on slow and fast machines.
var measures = []measure{
	{"A sweep of two kube-apiservers : as many servers started, stopped and asked as many calls by a bare client", "Sweep", "ratio", "1.3"},
	{"A journey of 556 objects on two replicas : its servers started and stopped one after the other", "Journey", "ratio", "0.55"},
	{"Scenarios that share servers : the same, each on its own", "SharedRun", "ratio", ""},
	{"Requests of a run in a second : those of a bare client", "Operations", "speed", ""},
	{"One more difference in a sweep of 80 to 160 : in one of 10 to 80", "Differences", "CPU-ratio-of-slopes", "1"},
	{"One more copy in a journey of 5,000 to 10,000 : of 1,250 to 5,000", "Scale", "ratio-of-slopes", "1"},
	{"One more object in a preflight: the second half of the sizes : the first half", "Preflight", "CPU-ratio-of-slopes", "1"},
	{"Histories of that sweep, MB", "Sweep", "MB-histories", "30"},
	{"Servers started in that sweep", "Sweep", "starts", ""},
	{"Calls in that sweep", "Sweep", "calls", ""},
	{"That sweep, seconds", "Sweep", "s-sweep", ""},
	{"CPU seconds of skewsim in it", "Sweep", "CPU-s-skewsim", ""},
	{"CPU seconds of its servers", "Sweep", "CPU-s-servers", ""},
	{"Memory of skewsim in it, at its highest, MB", "Sweep", "MB", ""},
	{"CPU seconds for 1,000 objects of a preflight, skewsim and four servers", "Preflight", "CPU-s/1000-objects", ""},
	{"Seconds of a preflight of 20,000 objects in the few hundred shapes that a cluster has", "Preflight", "s-at-20000/5", "120"},
	{"Memory that skewsim allocates in it, at its highest, MB", "Preflight", "MB-at-20000/5", "500"},
	{"Memory that skewsim allocates with 10,000 copies, at its highest, MB", "Scale", "MB-at-10000", "500"},
	{"CPU seconds for 100 differences of definitions", "Differences", "CPU-s/100-differences", ""},
	{"Seconds for 1,000 copies of a journey", "Scale", "s/1000-copies-to-10000", ""},
}

// bench is what go test -bench printed: values by benchmark and unit.
type bench map[[2]string]float64

// readBench reads the output of go test -bench. A benchmark that was run twice has its last values.
func readBench(t *testing.T, file string) bench {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	all := bench{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(fields[0], "Benchmark"), "-")
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			require.NoError(t, err, line)
			all[[2]string{name, fields[i+1]}] = value
		}
	}
	return all
}

func (b bench) show(m measure) string {
	v, has := b[[2]string{m.benchmark, m.unit}]
	if !has {
		return "not measured"
	}
	digits := 2
	if v >= 20 {
		digits = 0
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

const committedBench = "../../docs/reference/performance.txt"

// TestPerformancePage: docs/reference/performance.md shows the figures of performance.txt, which is what make bench printed.
func TestPerformancePage(t *testing.T) {
	if file := os.Getenv("SKEWSIM_BENCH"); file != "" && *update {
		replaceLines(t, committedBench, file)
	}
	b := readBench(t, committedBench)
	var page strings.Builder
	page.WriteString(`# What skewsim costs

After reading this page you know what a sweep, a journey and a preflight cost on two cores, and what of it
is the servers'. Written by ` + "`make bench UPDATE=1`" + ` from [performance.txt](performance.txt); ` + "`make bench`" + ` prints your
machine's figures beside these. Ratios compare two things in one run, and are much the same on every machine. No test
fails because of them.

| | measured | goal |
| --- | --- | --- |
`)
	for _, m := range measures {
		fmt.Fprintf(&page, "| %s | %s | %s |\n", m.about, b.show(m), m.goal)
	}
	page.WriteString(`
Where a sweep spends its CPU time:

| owner | CPU seconds |
| --- | --- |
`)
	for _, m := range []measure{{"kube-apiservers: starts, calls", "Sweep", "CPU-s-servers", ""}, {"skewsim: objects, calls, watches, etcd, judging, pages", "Sweep", "CPU-s-skewsim", ""}} {
		fmt.Fprintf(&page, "| %s | %s |\n", m.about, b.show(m))
	}
	page.WriteString(`
A sweep of one kind on more cores. The servers of one release serve the store after those of the other, so that starts and the
stages of a journey follow one another on any number of cores; calls of one stage run side by side, and so do laps and judging.
The figures for one and two cores are measured. The others are calculated from what does not run side by side (serial share ` + b.show(measure{"", "Cores", "serial-share", ""}) + `):

| cores | seconds |
| --- | --- |
`)
	for _, cores := range []int{1, 2, 4, 8, 16} {
		fmt.Fprintf(&page, "| %d | %s |\n", cores, b.show(measure{benchmark: "Cores", unit: fmt.Sprintf("s-on-%d", cores)}))
	}
	page.WriteString(`
` + "`--profile DIR`" + `, a hidden flag of every command, writes profiles of skewsim for ` + "`go tool pprof`" + `, and usage.json: the
time by owner, the servers started and the calls sent.
`)
	file := filepath.Join("..", "..", "docs", "reference", "performance.md")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(page.String()), 0o644))
	}
	is, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, page.String(), string(is), "make bench UPDATE=1 writes it")
}

// replaceLines replaces in a file of benchmarks the lines of those that another one has.
func replaceLines(t *testing.T, file, by string) {
	t.Helper()
	lines := map[string]string{}
	for _, from := range []string{file, by} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if name, _, cut := strings.Cut(line, "-"); cut && strings.HasPrefix(name, "Benchmark") {
				lines[name] = line
			}
		}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		text.WriteString(lines[name])
	}
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
}

// TestBenchBeside prints the figures of a file beside those of the page: the end of make bench.
func TestBenchBeside(t *testing.T) {
	file := os.Getenv("SKEWSIM_BENCH")
	if file == "" {
		t.Skip("SKEWSIM_BENCH names no output of go test -bench")
	}
	here, page := readBench(t, file), readBench(t, committedBench)
	for _, m := range measures {
		t.Logf("%12s here %12s on the page %6s goal  %s", here.show(m), page.show(m), m.goal, m.about)
	}
}

// TestReadBench: values are told by benchmark and unit; other lines are none.
func TestReadBench(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bench.txt")
	require.NoError(t, os.WriteFile(file, []byte("goos: linux\nBenchmarkSweep-2 \t 1\t 12 ns/op\t 1.25 ratio\t 240.5 s-sweep\n    bench_test.go:1: 3 ratio\nPASS\n"), 0o600))
	b := readBench(t, file)
	assert.Equal(t, "1.25", b.show(measure{benchmark: "Sweep", unit: "ratio"}))
	assert.Equal(t, "240", b.show(measure{benchmark: "Sweep", unit: "s-sweep"}))
	assert.Equal(t, "not measured", b.show(measure{benchmark: "Journey", unit: "ratio"}))
}
