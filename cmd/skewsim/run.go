package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
)

// runFlags are the flags of run.
type runFlags struct {
	pair    pairFlags
	chain   chainFlags
	options optionFlags
	out     string
	seed    int64
	orders  orderFlags
	store   storeFlags
	quiet   bool
	timeout time.Duration
	jobs    int // how many journeys at once; 0: as many as cores
	// jobsGiven: the user says so
	jobsGiven bool
	isolate   bool
}

// aboutRun is what run says of itself.
const aboutRun = `run plays a scenario: it starts replicas of both releases on one embedded etcd,
moves them through the journey, lets clients act at every stage, records every
request, answer and stored byte, and judges the record.

Builds that are named as frobber@X.Y are the reference server's, which comes with
skewsim. Builds that are named as kube-apiserver@vX.Y.Z are compiled from the
release's Go module on first use (some minutes) and cached in $SKEWSIM_CACHE, else
in the user's cache directory; kube-apiserver@vX.Y is the newest patch that is built,
else that can be had. Of a release that only the scenario's file names another patch
serves where it cannot be had, which the notes tell. A scenario's name may be followed by that of a twin
(add-field+required): the same scenario is played with a new release that was
made with a mistake, which fails it. --out holds everything the run leaves: report.html,
result.json, ledger.json, history.jsonl, plan.txt, junit.xml, report.md,
schemas/ and logs/. history.jsonl holds objects as they were, Secrets too: it
is not for publishing.

Several names, or a pattern of names ('frobber/*'), are played side by side, as
many at once as there are cores: a line for each as it ends, then how long each
took. Those of equal builds, options, replicas and roll-outs share one journey, of
one fleet of servers over one store, in a namespace each; one that does not pass in
company is played again alone, and that counts. --isolate plays each alone. Each has
its directory below --out (default out), with all that run would have printed in
run.txt. The exit code is the worst: 1 where one is not what its scenario expects,
else 3 where one could not be judged, else 2, else 1 where one found impacts and its
scenario has no key expect (0 with --impacts allow).`

const runExamples = `  skewsim run add-field
  skewsim run add-field+required
  skewsim run emptydir-mode
  skewsim run 'frobber/*' --out out/frobber
  skewsim run quiet --pair kube-apiserver@v1.36.3..v1.37.0 --out /tmp/quiet
  skewsim run ./my-field.yaml --old kube-apiserver@v1.36.3 --new path:./_output/bin/kube-apiserver`

func newRun(a *app) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Play a scenario on real servers and judge what happened",
		Long:  aboutRun, Example: runExamples,
		Args: atLeastOne("scenarios (files, or names from skewsim list)"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeScenario(c, nil, begun) // as many as one likes
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.orders.onlyGiven, f.jobsGiven = c.Flags().Changed("only"), c.Flags().Changed("jobs")
			if len(args) > 1 || isPattern(args[0]) {
				return a.runSeveral(c.Context(), args, f)
			}
			return a.run(c.Context(), args[0], f)
		},
	}
	flags := c.Flags()
	a.impactsFlag(c)
	f.pair.register(flags)
	f.chain.register(flags)
	f.options.register(flags)
	seedFlag(c, &f.seed)
	f.orders.register(flags)
	flags.StringVarP(&f.out, "out", "o", "", "the run `directory` (default out/<scenario>, or out/<scenario>+<twin>); an earlier run there is replaced; of several scenarios the directory that theirs are in")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "of several scenarios, play so `many` journeys at once (default: as many as there are cores)")
	flags.BoolVar(&f.isolate, "isolate", false, "of several scenarios, play each on servers and a store of its own, also where they could share them")
	f.store.register(flags)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show stages and servers, not each operation")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Minute, "give up after this long, builds apart")
	return c
}

// made is what a run is played with.
type made struct {
	servers map[term.Role]servers.Build
	clients map[term.Role]typedclient.Build
	// store opens the shared store of a chain's leg; nil: the run has its own.
	store func() run.Store
	salt  string // of a chain's leg likewise; "": the run draws its own
	// keys seed those that the servers of a chain's legs encrypt with; "": the run's
	// own are random. Nothing that is kept may hold them.
	keys string
	// where and place tell where parts of object files and of the scenario stand; nil:
	// of a chain's leg.
	where func(file, field string) string
	place func(part string) string
}

// builds makes both builds, one after the other: each takes all cores.
func (a *app) builds(ctx context.Context, refs map[term.Role]servers.Reference) (map[term.Role]servers.Build, error) {
	builds := map[term.Role]servers.Build{}
	for _, role := range []term.Role{term.Old, term.New} {
		b, err := a.build(ctx, refs[role])
		if err != nil {
			return nil, err
		}
		builds[role] = b
	}
	return builds, nil
}

// build makes a build once, one at a time, however many runs ask for it.
func (a *app) build(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	if a.parent != nil {
		return a.parent.build(ctx, ref)
	}
	if ref.Scheme == servers.SchemeManifests {
		return a.buildManifests(ctx, ref) // what it is installed on is kept
	}
	if ref.Scheme == servers.SchemeModule {
		return a.buildModule(ctx, ref) // what it leans on is built before, by itself
	}
	return once(a, &a.built, ref, func() (servers.Build, error) {
		if err := a.known(ctx, ref); err != nil {
			return servers.Build{}, usage(err)
		}
		return a.buildNow(ctx, ref)
	})
}

// once makes what a key stands for, unless it was made before, one thing at a time. What
// fails is tried again, until it is given up. Who asks for what is there does not wait for
// what is not.
func once[K comparable, V any](a *app, made *map[K]V, key K, do func() (V, error)) (V, error) {
	there := func() (V, bool) {
		a.made.Lock()
		defer a.made.Unlock()
		v, ok := (*made)[key]
		return v, ok
	}
	if v, ok := there(); ok {
		return v, nil
	}
	a.building.Lock()
	defer a.building.Unlock()
	if v, ok := there(); ok {
		return v, nil
	}
	if err := a.gaveUp(key); err != nil {
		var none V
		return none, err
	}
	v, err := do()
	a.made.Lock()
	defer a.made.Unlock()
	if err == nil {
		*made = with(*made, key, v)
	}
	a.note(key, err)
	return v, err
}

// with is a map with one more entry; nil is an empty one.
func with[K comparable, V any](all map[K]V, key K, v V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = v
	return all
}

func (a *app) buildNow(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	switch ref.Scheme {
	case servers.SchemePath:
		return kubeapiserver.FromPath(ctx, ref.Path)
	case servers.SchemeTrain:
		return frobberapiserver.Get(ctx, ref.Version)
	case servers.SchemeImage:
		return a.buildImage(ctx, ref)
	case servers.SchemeSource:
		return a.buildSource(ctx, ref)
	}
	cache, err := a.cache()
	if err != nil {
		return servers.Build{}, err
	}
	progress := newBuilding(a.err, ref.String())
	defer progress.done()
	if !ref.Preferred {
		return kubeapiserver.Get(ctx, cache, ref.Version, progress)
	}
	b, err := kubeapiserver.Prefer(ctx, cache, ref.Version, progress)
	if kubeapiserver.Unavailable(err) {
		err = fault.Wrap(fault.Unavailable, fmt.Errorf("%s cannot be had, nor another patch of its minor; play other releases: %w", ref, err))
	}
	return b, err
}

// newRuntime makes a runtime that starts builds of every component.
func (a *app) newRuntime(secrets, logs string) (servers.Runtime, error) {
	return a.newSeeded(secrets, logs, "")
}

// newSeeded makes one whose servers read what others of the same seed encrypted.
func (a *app) newSeeded(secrets, logs, seed string) (servers.Runtime, error) {
	below, err := apiserver.New(apiserver.Config{
		Components: []apiserver.Component{kubeapiserver.Component(), frobberapiserver.Component(), aggregated.Component()}, Dir: secrets, LogDir: logs, Kept: probeDir(), Seed: seed,
		Images: imageHost{a},
	})
	if err != nil {
		return nil, err
	}
	var runtime servers.Runtime = crd.NewRuntime(aggregated.NewRuntime(below, secrets), secrets)
	a.runtime.Store(&runtime)
	return runtime, nil
}

// play walks the plan, then judges and reports whatever was recorded, however
// the run ended.
func (a *app) play(ctx context.Context, p *plan.Plan, b made, f runFlags) (err error) {
	dir, err := openRunDir(f.out)
	if err != nil {
		return err
	}
	a.opened.Store(true)
	defer func() { err = errors.Join(err, dir.close()) }()
	if err := write(dir.path, "plan.txt", func(w io.Writer) error { return p.Fprint(w) }); err != nil {
		return err
	}
	return a.conclude(dir, errors.Join(a.record(ctx, dir, p, b, f)))
}

// newSalt draws the salt that makes the fingerprints of Secrets' values.
func newSalt() (string, error) {
	salt := make([]byte, 16)
	_, err := rand.Read(salt)
	return hex.EncodeToString(salt), err
}

// probeDir keeps what builds say of themselves, beside the builds.
func probeDir() string {
	cache, err := gobuild.Place("")
	if err != nil {
		return "" // without a cache each run asks anew
	}
	return filepath.Join(cache, "probes")
}

// conclude judges, reports and sums up. What ended the run early comes last,
// after all that was seen before it.
func (a *app) conclude(dir *runDir, runErr error) error {
	began := time.Now()
	r, err := judgeDir(dir.path, "")
	if err != nil {
		return errors.Join(runErr, err)
	}
	r.AllowImpacts = a.allowsImpacts()
	err = writeAll(dir.path, r, judgements(), drawings())
	if err == nil && nothingPlayed(r, runErr) {
		return runErr // there is nothing to sum up
	}
	fmt.Fprintln(a.out)
	if textErr := reports.Text(a.out, r, a.textOptions(reportPath(dir.path))); !errors.Is(textErr, syscall.EPIPE) {
		err = errors.Join(err, textErr) // a reader that has gone has seen what it wanted
	}
	if r.Result.Verdict == term.Impacts {
		fmt.Fprintf(a.out, "lines that expect them: skewsim expect %s\n", inShell(dir.path))
	}
	t := r.Result.Timing
	fmt.Fprintf(a.out, "time: %.1f s in all; summed over what overlaps: starts %.1f s, stops %.1f s, operations %.1f s, looks %.1f s; judging and reports %.1f s\n",
		t.Total, t.Starts, t.Stops, t.Operations, t.Looks, time.Since(began).Seconds())
	if err != nil {
		return wayOut(errors.Join(runErr, err))
	}
	return verdict(r, wayOut(runErr))
}

// nothingPlayed tells whether the user's own mistake ended the run before anything
// was seen.
func nothingPlayed(r reports.Run, ended error) bool {
	saw := func(c result.Check) bool { return c.Judged > 0 }
	return fault.Is(ended, fault.User) && len(r.Result.Findings) == 0 && !slices.ContainsFunc(r.Result.Checks, saw)
}

// wayOut adds what to do about an error that no room below can know: etcd tells
// of a full disk in words alone.
func wayOut(err error) error {
	if err != nil && strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return fmt.Errorf("%w; free some space there, or name a directory elsewhere with --out", err)
	}
	return err
}
