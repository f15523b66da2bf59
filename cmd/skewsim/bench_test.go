package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/plan"
)

// BenchmarkJourney plays a journey with some more than 500 copies of one kind
// and, in the same run of the benchmark, starts and stops its servers one after
// the other with nothing in between. What counts is the ratio: both are as slow
// as the machine is. A journey with half of the copies shows how long copies take.
func BenchmarkJourney(b *testing.B) {
	half, whole := newJourney(b, "journey", 1), newJourney(b, "journey", 2)
	half.play(b) // what the builds say of themselves is known from here on
	for b.Loop() {
		less, _ := half.play(b)
		took, h := whole.play(b)
		baseline := whole.inTurn(b)
		b.ReportMetric(float64(len(whole.plan.Copies)), "copies")
		b.ReportMetric(took.Seconds(), "s-journey")
		b.ReportMetric(baseline.Seconds(), "s-servers-in-turn")
		b.ReportMetric(took.Seconds()/baseline.Seconds(), "ratio")
		b.ReportMetric((took-less).Seconds()*1000/float64(len(whole.plan.Copies)-len(half.plan.Copies)), "s-per-1000-copies")
		for part, seconds := range h.where() {
			b.ReportMetric(seconds, "s-"+part)
		}
		b.ReportMetric(took.Seconds()-h.end, "s-judging")
	}
}

// benched is the plan of a journey with what it is played with.
type benched struct {
	app    *App
	plan   *plan.Plan
	builds map[term.Role]servers.Build
}

// newJourney plans a scenario of testdata/bench with everything in it so many
// times over.
func newJourney(b *testing.B, name string, times int) benched {
	b.Helper()
	s, err := load.Find(enlarged(b, name, times))
	if err != nil {
		b.Fatal(err)
	}
	s, old, new, err := engine.Request{Scenario: s, Pair: engine.PairNames{Pair: pairUnderTest(b)}}.Releases()
	if err != nil {
		b.Fatal(err)
	}
	j := benched{app: &App{Out: io.Discard, Err: b.Output()}}
	if j.plan, err = plan.Build(s, plan.Pair{Old: old.String(), New: new.String()}, 0); err != nil {
		b.Fatal(err)
	}
	j.builds, err = j.app.Runner().Servers(b.Context(), []servers.Reference{old, new})
	if err != nil {
		b.Fatal(err)
	}
	return j
}

// enlarged writes a scenario with its object and what is played with it
// repeated under other names.
func enlarged(b *testing.B, name string, times int) string {
	b.Helper()
	dir := b.TempDir()
	for _, file := range []string{name + ".yaml", "configmap.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata", "bench", file))
		if err != nil {
			b.Fatal(err)
		}
		if file != "configmap.yaml" {
			text = []byte(repeated(string(text), times))
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return filepath.Join(dir, name+".yaml")
}

func repeated(text string, times int) string {
	head, body, _ := strings.Cut(text, "objects:\n")
	objects, play, _ := strings.Cut(body, "play:\n")
	var manyObjects, manyPlay strings.Builder
	for i := range times {
		as := strings.NewReplacer(" config", fmt.Sprint(" config", i))
		manyObjects.WriteString(as.Replace(strings.ReplaceAll(objects, " configmap.yaml", " ./configmap.yaml")))
		manyPlay.WriteString(as.Replace(play))
	}
	return head + "objects:\n" + strings.ReplaceAll(manyObjects.String(), " ./", " ") + "play:\n" + manyPlay.String()
}

// play is the whole run: servers, operations, judging and reports.
func (j benched) play(b *testing.B) (time.Duration, journal) {
	b.Helper()
	out := filepath.Join(b.TempDir(), "out")
	began := time.Now()
	r := engine.Run{Request: engine.Request{Dir: out, Timeout: 10 * time.Minute}, Plan: j.plan}
	o := j.app.Runner().PlayWith(b.Context(), r, engine.Parts{Servers: j.builds}, j.app.Screen(j.app.Out, j.app.Err, false))
	err := ErrorOfRun(o)
	took := time.Since(began)
	if err != nil {
		b.Fatal(err)
	}
	return took, readJournal(b, out, j.plan)
}

// inTurn starts and gracefully stops the journey's servers, each after the other.
func (j benched) inTurn(b *testing.B) time.Duration {
	b.Helper()
	dir := b.TempDir()
	store, err := etcd.Start(b.Context(), etcd.Config{Dir: filepath.Join(dir, "store")})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	runtime, err := newApp().NewRuntime(filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"))
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.Close()
	began := time.Now()
	running := map[string]servers.Process{}
	for i, stage := range j.plan.Stages {
		for _, step := range stage.Steps {
			if step.Action == plan.Start || step.Action == plan.Replace {
				stop(b, running[step.Replica])
				running[step.Replica] = j.start(b, runtime, store, step, i)
			}
		}
	}
	for _, process := range running {
		stop(b, process)
	}
	return time.Since(began)
}

func (j benched) start(b *testing.B, r servers.Runtime, store *etcd.Server, step plan.Step, stage int) servers.Process {
	b.Helper()
	process, err := r.Start(b.Context(), j.builds[step.Role], servers.Placement{
		Name: fmt.Sprintf("%s-%d", step.Replica, stage), Store: store.Store(),
	})
	if err != nil {
		b.Fatal(err)
	}
	return process
}

func stop(b *testing.B, process servers.Process) {
	b.Helper()
	if process == nil {
		return
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	if err := process.Stop(ctx); err != nil {
		b.Fatal(err)
	}
}
