package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/reports/merge"
	"github.com/skewsim/skewsim/reports/screen"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// matrixFlags are the flags of matrix.
type matrixFlags struct {
	run       runFlags
	pairs     []string
	releases  []string
	skew      int
	skewGiven bool
	offered   bool
	another   bool
	costs     string
	shard     string
	shards    int
	list      bool
	format    string
	resume    bool
	retries   int
}

// aboutMatrix is what matrix says of itself.
const aboutMatrix = `matrix plays every scenario with every pair of releases that it applies to: each
scenario's constraints on old and new decide which. What is not played is told with its
reason, at the end and in matrix.json.

The scenarios are files, names or patterns of names; without any, all of the catalogue
that are of the components which the pairs are of, as far as their names tell. Chains are
left to run.

The pairs are those of --pairs, and the neighbours among each list of --releases; with
--skew N also those that are up to N minor releases apart. A release of these that cannot
be had is not played; with --another-patch another patch of its minor serves, and that is
told. Without either they are what there is: the releases of frobber, which come with
skewsim, and the kube-apiservers that are built in the cache (skewsim builds list), and
with --offered the newest patch of every minor that the module proxy lists, which are then
built (with --another-patch in force). Of these each scenario has the pairs that lie as
far apart as its own does: neighbours mostly.

Each run has a directory of its own, OUT/PAIR/SCENARIO. Those of equal builds, options,
replicas and roll-outs share one journey, as with run. Builds are made once; a journey
begins when its own are there. OUT has the state of the matrix in matrix.json, which is
written as things happen, and in the end the page of all runs, index.html, with
merged.json and junit.xml, as report merge writes them.

What the machine ended (a server killed or short of memory or ports, a store that
failed, a run out of time) is played again, at most --retries times, and told. What was
judged never is. Ctrl-C ends what goes on, and --resume goes on with the same OUT: it
plays what is left, and what the machine kept from a verdict, and nothing twice whose
plan, seed, builds and skewsim are the same.

--shard I/N plays one of N parts of about equal cost, the same on every machine that is
asked for the same; --shard job/N is that of a pod of an Indexed Job, by
JOB_COMPLETION_INDEX. skewsim report merge puts the parts together. --shards N lists, for
GitHub, up to N such parts of each pair.`

const matrixExamples = `  skewsim matrix
  skewsim matrix 'frobber/gate*' --releases frobber@1.17..1.20
  skewsim matrix --releases kube-apiserver@v1.34.4,v1.35.4,v1.36.1 --skew 2
  skewsim matrix quiet control --pairs kube-apiserver@v1.35.4..v1.36.1
  skewsim matrix --resume
  skewsim matrix --shard 2/3 --costs last/matrix.json --out shard-2
  skewsim matrix --list --format github --shards 3`

func newMatrix(a *app) *cobra.Command {
	var f matrixFlags
	c := &cobra.Command{
		Use:   "matrix [SCENARIO...]",
		Short: "Play scenarios with every pair of releases that they apply to",
		Long:  aboutMatrix, Example: matrixExamples,
		ValidArgsFunction: func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeScenario(c, nil, begun) // as many as one likes
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.skewGiven, f.run.jobsGiven = c.Flags().Changed("skew"), c.Flags().Changed("jobs")
			if c.Flags().Changed("format") && !f.list {
				return usage(errors.New("--format: is of --list: give both"))
			}
			return runMatrix(c.Context(), a, args, f)
		},
	}
	flags := c.Flags()
	a.impactsFlag(c)
	flags.StringSliceVar(&f.pairs, "pairs", nil, "`pairs` of releases, OLD..NEW, with commas between; also given several times")
	flags.StringArrayVar(&f.releases, "releases", nil, "`releases` whose neighbours are pairs: kube-apiserver@v1.34.4,v1.35.4,v1.36.1, module:k8s.io/sample-apiserver@v0.35.4,v0.37.0 or frobber@1.0..1.5; given again for another component")
	flags.IntVar(&f.skew, "skew", 0, "of --releases, also pair those that are so `many` minor releases apart or less, and none that is further (default: neighbours)")
	flags.BoolVar(&f.offered, "offered", false, "play what the module proxy offers, too, and not only what is built")
	flags.BoolVar(&f.another, "another-patch", false, "where a release of --pairs or --releases cannot be had, play another patch of its minor, and tell")
	flags.BoolVar(&f.list, "list", false, "print what would be played, and play nothing")
	flags.StringVar(&f.format, "format", "text", "of --list: `text`, json (as matrix.json), or github: a strategy.matrix with a job for each pair")
	flags.StringVar(&f.shard, "shard", "", "play the `part` I of N, as I/N; job/N in a pod of an Indexed Job")
	flags.IntVar(&f.shards, "shards", 1, "of --format github: make so `many` jobs of a pair, or as many as have something to play, each with its own shard")
	flags.StringVar(&f.costs, "costs", "", "a matrix.json or merged.json of before: the `file` tells what each cell costs, for shards and the time left")
	flags.BoolVar(&f.resume, "resume", false, "go on where an earlier matrix in --out was ended")
	flags.IntVar(&f.retries, "retries", 2, "how many `times` more to play what the machine ended; a verdict is never played again")
	flags.StringVarP(&f.run.Dir, "out", "o", filepath.Join("out", "matrix"), "the `directory` of the matrix; an earlier matrix there is replaced, unless it is resumed")
	flags.IntVarP(&f.run.jobs, "jobs", "j", 0, "play so `many` journeys at once (default: what cores and free memory allow)")
	flags.BoolVar(&f.run.isolate, "isolate", false, "play each cell on servers and a store of its own, also where they could share them")
	cliflags.Options(flags, &f.run.Options)
	cliflags.Store(flags, &f.run.Store)
	cliflags.Programs(flags, &f.run.AllowPrograms)
	flags.DurationVar(&f.run.Timeout, "timeout", 30*time.Minute, "give up a journey after this long, builds apart")
	cliflags.Seed(c.Flags(), &f.run.Seed)
	return c
}

// check tells what is wrong with the flags.
func (f *matrixFlags) check() error {
	switch {
	case !slices.Contains(listFormats(), f.format):
		return fmt.Errorf("--format %q: not a format (%s)", f.format, strings.Join(listFormats(), ", "))
	case f.skewGiven && f.skew < 1:
		return fmt.Errorf("--skew %d: must be 1 or more; leave it out for neighbours", f.skew)
	case f.skewGiven && len(f.releases)+len(f.pairs) == 0:
		return errors.New("--skew: is of --releases or --pairs: give one of these")
	case f.offered && len(f.releases)+len(f.pairs) > 0:
		return errors.New("--offered: is what is played where no pair is named: leave it out, or leave out --pairs and --releases")
	case f.shards < 1:
		return fmt.Errorf("--shards %d: must be 1 or more", f.shards)
	case f.shards > 1 && f.format != "github":
		return errors.New("--shards: is of --list --format github: to play one of several parts, give --shard I/N")
	case f.shards > 1 && f.shard != "":
		return errors.New("--shards: cuts each pair, and --shard lists a part of all of them: give one of these")
	case f.retries < 0:
		return fmt.Errorf("--retries %d: must be 0 or more", f.retries)
	case f.list && f.resume:
		return errors.New("--resume: --list plays nothing: leave one out")
	case f.run.jobsGiven && f.run.jobs < 1:
		return fmt.Errorf("--jobs %d: must be 1 or more; leave it out for as many as fit", f.run.jobs)
	}
	return f.run.Check()
}

// matrix is the job of the command, from the flags to the exit code.
func runMatrix(ctx context.Context, a *app, names []string, f matrixFlags) error {
	if err := f.check(); err != nil {
		return usage(err)
	}
	m, err := layOutMatrix(ctx, a.builds(), names, f)
	if err != nil {
		return usage(err)
	}
	if f.list {
		return printLayout(a.out, m, f.format, f.shards)
	}
	return playMatrix(ctx, a, m, f)
}

// layOutMatrix decides what is played, and tells all that is wrong and can be told before
// anything is built.
func layOutMatrix(ctx context.Context, from campaign.Sources, names []string, f matrixFlags) (*campaign.Layout, error) {
	costs, unread := readCosts(f.costs)
	shard, wrong := f.readShard()
	m, err := campaign.LayOut(ctx, from, campaign.MatrixRequest{
		Request: f.run.Request, Scenarios: names, Pairs: f.pairs, Releases: f.releases, MostApart: f.skew, Proxy: f.offered, AnotherPatch: f.another,
		Costs: costs, Shard: shard, Isolate: f.run.isolate, Tool: toolVersion(),
	})
	return m, errors.Join(err, unread, wrong)
}

// readShard is the part that the flag names; nil: all.
func (f *matrixFlags) readShard() (*matrix.Shard, error) {
	if f.shard == "" {
		return nil, nil
	}
	s, err := matrix.ParseShard(f.shard, os.Getenv("JOB_COMPLETION_INDEX"))
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// readCosts reads what cells cost before; without a file nobody knows.
func readCosts(file string) (matrix.Costs, error) {
	if file == "" {
		return matrix.Costs{}, nil
	}
	raw, err := rundir.ReadRegular(file)
	if err != nil {
		return matrix.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	costs, err := matrix.ReadCosts(raw)
	if err != nil {
		return costs, fmt.Errorf("--costs %q: %w", file, err)
	}
	return costs, nil
}

// playMatrix plays what is left of a matrix, and writes what all of it came to.
func playMatrix(ctx context.Context, a *app, m *campaign.Layout, f matrixFlags) (err error) {
	playing := a.beside(a.err) // what says so later goes to the board
	opened, err := campaign.OpenMatrix(ctx, m, playing.builds(), f.resume)
	if err != nil {
		return err
	}
	a.opened.Store(true)
	defer func() { err = errors.Join(err, opened.Close()) }()
	if _, err := merge.Open(opened.Dir()); err != nil {
		return err
	}
	if err := cmp.Or(opened.Clear(f.resume), merge.Clear(opened.Dir())); err != nil {
		return err
	}
	began, at := time.Now(), campaign.NewRoom(f.run.jobs)
	collectLess(at.AtOnce(m.Groups))
	shown := screen.NewBoard(a.out, m, at)
	playing.out, playing.err = shown, shown
	runner := playing.campaign(false)
	runner.Retries, runner.Counted = f.retries, true
	unkept := opened.Execute(ctx, campaign.MatrixConfig{
		Builds: playing.builds(), Runner: runner, Room: at, Board: shown, GiveUp: playing.tellUnbuilt,
		Result: func(dir string) (result.Result, []byte) {
			source, raw := gather.Run(dir)
			return source.Result, raw
		},
	})
	shown.Close()
	return errors.Join(concludeMatrix(a, opened, time.Since(began)), unkept)
}

// beside is an app that shares nothing with this one but its end.
func (a *app) beside(w io.Writer) *app {
	c := &app{out: w, err: w}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.children = append(a.children, c)
	return c
}
