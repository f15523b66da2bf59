package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// BenchmarkSweep compares a sweep of two releases with what its servers cost: as many servers of the same releases and options,
// started, stopped and asked as many calls by a bare client, in the same run of the benchmark. The calls that a run of the
// sweep recorded are sent as they were, stage by stage; those that make objects, which nobody records, are dry runs of the
// objects that were made. What counts is the ratio: 1 is a sweep that costs what its servers cost.
func BenchmarkSweep(b *testing.B) {
	old, new := neighbours.Pair(b)
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "skewsim"))
	require.NoError(b, err)
	for b.Loop() {
		s := sweepOf(b, binary, pairOf(old, new))
		bare := s.barely(b, map[term.Role]servers.Build{term.Old: old, term.New: new})
		b.ReportMetric(float64(s.Starts), "starts")
		b.ReportMetric(float64(s.Calls), "calls")
		b.ReportMetric(float64(s.bytes)/1e6, "MB-histories")
		b.ReportMetric(s.Wall, "s-sweep")
		b.ReportMetric(bare.Seconds(), "s-bare")
		b.ReportMetric(s.Wall/bare.Seconds(), "ratio")
		b.ReportMetric(s.CPU.Skewsim, "CPU-s-skewsim")
		b.ReportMetric(s.CPU.Servers, "CPU-s-servers")
		b.ReportMetric(float64(s.Memory>>20), "MB")
	}
}

// sweepCost is a sweep that is over, with what its profile says.
type sweepCost struct {
	usage
	runs  []*history.History
	bytes int64 // of the histories
}

func sweepOf(b *testing.B, binary, pair string) (s sweepCost) {
	b.Helper()
	out, profile := filepath.Join(b.TempDir(), "out"), b.TempDir()
	c := exec.CommandContext(b.Context(), binary, "sweep", pair, "--out", out, "--fail-on", "none", "--profile", profile)
	said, err := c.CombinedOutput()
	require.NoError(b, err, "%s", said)
	text, err := os.ReadFile(filepath.Join(profile, usageFile))
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(text, &s.usage))
	files, err := filepath.Glob(filepath.Join(out, "*", history.FileName))
	require.NoError(b, err)
	for _, file := range files {
		h, err := history.Load(filepath.Dir(file))
		require.NoError(b, err)
		info, err := os.Stat(file)
		require.NoError(b, err)
		s.runs, s.bytes = append(s.runs, h), s.bytes+info.Size()
	}
	require.NotEmpty(b, s.runs)
	return s
}

// barely starts, asks and stops as many servers, the servers of each run beside those of the others.
func (s sweepCost) barely(b *testing.B, builds map[term.Role]servers.Build) time.Duration {
	b.Helper()
	dir := b.TempDir()
	of, err := newApp().NewRuntime(filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"))
	require.NoError(b, err)
	defer of.Close()
	var recorded int64
	for _, h := range s.runs {
		recorded += int64(len(callsOf(h)))
	}
	rest := [2]int64{int64(s.Starts)/int64(len(s.runs)) - 2, (s.Calls - recorded) / int64(len(s.runs))}
	began := time.Now()
	var group errgroup.Group
	for i, h := range s.runs {
		group.Go(func() error {
			return bareRun{b, of, builds, h, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprint("run", i)}.play(rest[0], rest[1])
		})
	}
	require.NoError(b, group.Wait())
	return time.Since(began)
}

// callsOf returns the requests of a run that were sent.
func callsOf(h *history.History) (all []sent) {
	for _, o := range h.Operations {
		if o.As == 0 && !o.Watched {
			all = append(all, sent{o.Step, o.Copy, o.Role, o.Exchange})
		}
	}
	for _, l := range h.Listings {
		for range max(1, l.Pages) {
			if l.As == 0 {
				all = append(all, sent{l.Step, l.APIVersion + l.Kind, l.Role, l.Exchange})
			}
		}
	}
	return all
}

// sent is a request to a server of a release, after those of the same copy.
type sent struct {
	step int
	copy string
	role term.Role
	history.Exchange
}

// bareRun plays what a run has recorded with a bare client.
type bareRun struct {
	b      *testing.B
	of     servers.Runtime
	builds map[term.Role]servers.Build
	h      *history.History
	dir    string
	name   string
}

// play starts a server of each release, and starts and stops others, one after the other. It sends the recorded calls, and
// dry runs besides.
func (r bareRun) play(starts, dryRuns int64) error {
	store, err := etcd.Start(r.b.Context(), etcd.Config{Dir: r.dir})
	if err != nil {
		return err
	}
	defer store.Close()
	clients := map[term.Role]*rest.RESTClient{}
	for i := range 2 + starts {
		role := []term.Role{term.Old, term.New}[i%2]
		process, err := r.of.Start(r.b.Context(), r.builds[role], servers.Placement{
			Name: fmt.Sprintf("%s-%d", r.name, i), Store: store.Store(), Options: fleet.NewOptions(&r.h.Header.Plan, r.builds, r.of, nil).Of(role),
		})
		if err != nil {
			return err
		}
		if i < 2 {
			clients[role] = bareClient(r.b, process.Endpoint())
			defer process.Kill()
			continue
		}
		if err := process.Stop(r.b.Context()); err != nil {
			return err
		}
	}
	if err := r.replay(clients); err != nil {
		return err
	}
	return r.make(clients, dryRuns)
}

// replay sends the recorded calls, stage by stage, those of one copy one after the other.
func (r bareRun) replay(clients map[term.Role]*rest.RESTClient) error {
	stages := make([]map[string][]sent, len(r.h.Header.Plan.Stages))
	for _, call := range callsOf(r.h) {
		at := stageOf(&r.h.Header.Plan, call.step)
		if stages[at] == nil {
			stages[at] = map[string][]sent{}
		}
		stages[at][call.copy] = append(stages[at][call.copy], call)
	}
	for _, byCopy := range stages {
		var group errgroup.Group
		group.SetLimit(fleet.Workers)
		for _, calls := range byCopy {
			group.Go(func() error {
				for _, call := range calls {
					r.send(clients[call.role], call.Exchange, unbound(r.h.Body(call.Sent).JSON))
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// make sends dry runs of the run's objects.
func (r bareRun) make(clients map[term.Role]*rest.RESTClient, n int64) error {
	var creates []sent
	for _, call := range callsOf(r.h) {
		if call.Method == http.MethodPost && call.Sent != "" {
			call.Query = "dryRun=All"
			creates = append(creates, call)
		}
	}
	var group errgroup.Group
	group.SetLimit(fleet.Workers)
	for i := range n {
		call := creates[i%int64(len(creates))]
		group.Go(func() error {
			r.send(clients[call.role], call.Exchange, unbound(r.h.Body(call.Sent).JSON))
			return nil
		})
	}
	return group.Wait()
}

// send sends one call. Any answer will do: a refusal costs its server as much.
func (r bareRun) send(client *rest.RESTClient, x history.Exchange, body []byte) {
	_, _ = bareRequest(client, x, body).DoRaw(r.b.Context())
}

func stageOf(p *plan.Plan, step int) int {
	for i, stage := range p.Stages {
		if n := step - stage.Steps[0].Number; n >= 0 && n < len(stage.Steps) {
			return i
		}
	}
	return 0
}
