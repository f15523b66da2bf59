package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// BenchmarkJourney plays emptydir-mode and, in the same run of the benchmark,
// starts and stops the servers of its journey one after the other with nothing
// in between. What counts is the ratio: both are as slow as the machine is.
func BenchmarkJourney(b *testing.B) {
	a := &app{out: io.Discard, err: b.Output()}
	s, err := scenarios.Find("emptydir-mode")
	if err != nil {
		b.Fatal(err)
	}
	s, old, new, err := (&pairFlags{}).pairOf(s)
	if err != nil {
		b.Fatal(err)
	}
	p, err := planFor(s, old, new, 0)
	if err != nil {
		b.Fatal(err)
	}
	builds, err := a.builds(b.Context(), map[term.Role]servers.Reference{term.Old: old, term.New: new})
	if err != nil {
		b.Fatal(err)
	}
	// Once before it counts: what the builds say of themselves is then known.
	journey(b, a, p, builds)
	for b.Loop() {
		took := journey(b, a, p, builds)
		baseline := inTurn(b, p, builds)
		b.ReportMetric(took.Seconds(), "s-journey")
		b.ReportMetric(baseline.Seconds(), "s-servers-in-turn")
		b.ReportMetric(took.Seconds()/baseline.Seconds(), "ratio")
		b.ReportMetric(float64(len(p.Copies)), "copies")
	}
}

// journey is the whole run: servers, operations, judging and reports.
func journey(b *testing.B, a *app, p *plan.Plan, builds map[term.Role]servers.Build) time.Duration {
	began := time.Now()
	err := a.play(b.Context(), p, made{servers: builds}, runFlags{out: filepath.Join(b.TempDir(), "out"), timeout: 10 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// inTurn starts and gracefully stops the journey's servers, each after the other.
func inTurn(b *testing.B, p *plan.Plan, builds map[term.Role]servers.Build) time.Duration {
	dir := b.TempDir()
	store, err := etcd.Start(b.Context(), etcd.Config{Dir: filepath.Join(dir, "store")})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	runtime, err := kubeapiserver.New(kubeapiserver.Config{Dir: filepath.Join(dir, "secrets"), LogDir: filepath.Join(dir, "logs")})
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.Close()
	began := time.Now()
	running := map[string]servers.Process{}
	for i, stage := range p.Stages {
		for _, step := range stage.Steps {
			if step.Action == plan.Start || step.Action == plan.Replace {
				stop(b, running[step.Replica])
				running[step.Replica] = startOne(b, runtime, store, builds[step.Role], p, step, i)
			}
		}
	}
	for _, process := range running {
		stop(b, process)
	}
	return time.Since(began)
}

func startOne(b *testing.B, r servers.Runtime, store *etcd.Server, build servers.Build, p *plan.Plan, step plan.Step, stage int) servers.Process {
	options := servers.Options{}
	for _, release := range p.Releases {
		if release.Role == step.Role {
			options.FeatureGates = release.Options.FeatureGates
		}
	}
	process, err := r.Start(b.Context(), build, servers.Placement{
		Name: step.Replica + "-" + string(rune('0'+stage)), Store: store.Store(), Options: options,
	})
	if err != nil {
		b.Fatal(err)
	}
	return process
}

func stop(b *testing.B, process servers.Process) {
	if process == nil {
		return
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	if err := process.Stop(ctx); err != nil {
		b.Fatal(err)
	}
}
