package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/servers/fault"
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

// aboutMatrix is the long help text of matrix.
const aboutMatrix = `matrix runs every scenario on every pair of releases that it applies to. The scenario's
constraints on old and new decide that. matrix reports every excluded combination with its
reason, at the end and in matrix.json.

SCENARIO is a file, a name or a pattern of names. The default is every scenario of the
catalogue for the components of the pairs, except chains: use skewsim run for chains.

The pairs are those of --pairs, and the neighbours in each list of --releases; with
--skew N also the releases that are up to N minor releases apart. A release that is not
available is excluded; with --another-patch another patch of its minor release is the
substitute, and matrix reports it. Without --pairs and --releases, matrix uses the
releases of frobber, which come with skewsim, and the cached kube-apiservers (skewsim
builds list). With --offered it also builds the newest patch of every minor release on the
module proxy, and --another-patch is implied. Each scenario then runs on the pairs that
are as far apart as its own pair, mostly neighbours.

Each run has its own directory, OUT/PAIR/SCENARIO. As with run, scenarios with the same
builds, options, replicas and roll-outs form a shared run. Each build is made once; a run
starts as soon as its builds are ready. OUT/matrix.json holds the state of the matrix and
is updated continuously. At the end OUT holds the same page as report merge writes:
index.html, merged.json and junit.xml.

After an infrastructure failure (a server killed or short of memory or ports, a failed
store, a timeout) matrix repeats the run, at most --retries times, and reports it. It never
repeats a run that has a verdict. Ctrl-C stops the current runs. --resume continues in the
same OUT: it executes what is left and what had an infrastructure failure. It keeps a
result if plan, seed, builds and skewsim are the same.

--shard I/N runs one of N parts of about equal cost. All machines with the same arguments
split the matrix in the same way. In a pod of an Indexed Job, --shard job/N reads I from
JOB_COMPLETION_INDEX. skewsim report merge combines the parts. --shards N splits each pair
into up to N parts for GitHub.`

const matrixExamples = `  skewsim matrix
  skewsim matrix 'frobber/gate*' --releases frobber@1.17..1.20
  skewsim matrix --releases kube-apiserver@v1.34.4,v1.35.4,v1.36.1 --skew 2
  skewsim matrix quiet control --pairs kube-apiserver@v1.35.4..v1.36.1
  skewsim matrix --resume
  skewsim matrix --shard 2/3 --costs last/matrix.json --out shard-2
  skewsim matrix --list --format github --shards 3`

func newMatrix(a *App) *cobra.Command {
	var f matrixFlags
	c := &cobra.Command{
		Use:   "matrix [SCENARIO...]",
		Short: "Run scenarios on every pair of releases that they apply to",
		Long:  aboutMatrix, Example: matrixExamples,
		ValidArgsFunction: func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeScenario(c, nil, begun) // as many as one likes
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.skewGiven, f.run.jobsGiven = c.Flags().Changed("skew"), c.Flags().Changed("jobs")
			if c.Flags().Changed("format") && !f.list {
				return fault.ByUser(errors.New("--format: requires --list: give both"))
			}
			return runMatrix(c.Context(), a, args, f)
		},
	}
	flags := c.Flags()
	a.ImpactsFlag(c)
	flags.StringSliceVar(&f.pairs, "pairs", nil, "`pairs` of releases, OLD..NEW, separated by commas; may be repeated")
	flags.StringArrayVar(&f.releases, "releases", nil, "`releases` whose neighbours form pairs: kube-apiserver@v1.34.4,v1.35.4,v1.36.1, module:k8s.io/sample-apiserver@v0.35.4,v0.37.0 or frobber@1.0..1.5; may be repeated, once per component")
	flags.IntVar(&f.skew, "skew", 0, "with --releases, also pair releases that are up to this `number` of minor releases apart; with --pairs, refuse pairs that are further apart (default: neighbours)")
	flags.BoolVar(&f.offered, "offered", false, "also run the releases that the module proxy offers, not only cached builds")
	flags.BoolVar(&f.another, "another-patch", false, "if a release of --pairs or --releases is not available, use another patch of its minor release, and report it")
	flags.BoolVar(&f.list, "list", false, "print what would run, without starting anything")
	flags.StringVar(&f.format, "format", "text", "`format` of --list: text, json (as matrix.json), or github (a strategy.matrix with a job for each pair)")
	flags.StringVar(&f.shard, "shard", "", "run only part I of N, as `I/N`; use job/N in a pod of an Indexed Job")
	flags.IntVar(&f.shards, "shards", 1, "with --format github, split each pair into up to this `number` of jobs")
	flags.StringVar(&f.costs, "costs", "", "a `file` matrix.json or merged.json of an earlier matrix: the cost of each cell, for shards and for the estimate of the time left")
	flags.BoolVar(&f.resume, "resume", false, "continue the matrix in --out; with --shard job/N, begin one if --out holds no matrix")
	flags.IntVar(&f.retries, "retries", 2, "`number` of times to repeat a run after an infrastructure failure; a run with a verdict is never repeated")
	flags.StringVarP(&f.run.Dir, "out", "o", filepath.Join("out", "matrix"), "output `directory`; replaces an earlier matrix, unless --resume is set")
	flags.IntVarP(&f.run.jobs, "jobs", "j", 0, "`number` of runs to execute in parallel (default: as many as cores and free memory allow)")
	flags.BoolVar(&f.run.isolate, "isolate", false, "execute every run on its own servers and store, never in a shared run")
	cliflags.Options(flags, &f.run.Options)
	cliflags.Store(flags, &f.run.Store)
	cliflags.Programs(flags, &f.run.AllowPrograms)
	flags.DurationVar(&f.run.Timeout, "timeout", 30*time.Minute, "time limit of a run, without builds")
	cliflags.Seed(c.Flags(), &f.run.Seed)
	return c
}

// check returns an error for flags that are not valid.
func (f *matrixFlags) check() error {
	switch {
	case !slices.Contains(listFormats(), f.format):
		return fmt.Errorf("--format %q: not a format (%s)", f.format, strings.Join(listFormats(), ", "))
	case f.skewGiven && f.skew < 1:
		return fmt.Errorf("--skew %d: must be 1 or more; leave it out for neighbours", f.skew)
	case f.skewGiven && len(f.releases)+len(f.pairs) == 0:
		return errors.New("--skew: requires --releases or --pairs: give one of these")
	case f.offered && len(f.releases)+len(f.pairs) > 0:
		return errors.New("--offered: cannot be combined with --pairs or --releases: leave one out")
	case f.shards < 1:
		return fmt.Errorf("--shards %d: must be 1 or more", f.shards)
	case f.shards > 1 && f.format != "github":
		return errors.New("--shards: requires --list --format github; to run one of several parts, give --shard I/N")
	case f.shards > 1 && f.shard != "":
		return errors.New("--shards: cannot be combined with --shard: give one of these")
	case f.retries < 0:
		return fmt.Errorf("--retries %d: must be 0 or more", f.retries)
	case f.list && f.resume:
		return errors.New("--resume: cannot be combined with --list: leave one out")
	case f.run.jobsGiven && f.run.jobs < 1:
		return fmt.Errorf("--jobs %d: must be 1 or more; leave it out for as many as fit", f.run.jobs)
	}
	return f.run.Check()
}

// runMatrix runs the command, and returns the error that gives the exit code.
func runMatrix(ctx context.Context, a *App, names []string, f matrixFlags) error {
	if err := f.check(); err != nil {
		return fault.ByUser(err)
	}
	if f.resume && !f.inJob() {
		if err := campaign.CheckResume(f.run.Dir); err != nil {
			return err
		}
	}
	m, err := layOutMatrix(ctx, a.Builds(), names, f)
	if err != nil {
		return fault.ByUser(err)
	}
	if f.list {
		return printLayout(a.Out, m, f.format, f.shards)
	}
	return playMatrix(ctx, a, m, f)
}

// layOutMatrix decides what runs, and returns every error that can be found before anything
// is built.
func layOutMatrix(ctx context.Context, from campaign.Sources, names []string, f matrixFlags) (*campaign.Layout, error) {
	costs, unread := readCosts(f.costs)
	shard, wrong := f.readShard()
	m, err := campaign.LayOut(ctx, from, campaign.MatrixRequest{
		Request: f.run.Request, Scenarios: names, Pairs: f.pairs, Releases: f.releases, MostApart: f.skew, Proxy: f.offered, AnotherPatch: f.another,
		Costs: costs, Shard: shard, Isolate: f.run.isolate, Tool: ToolVersion(),
	})
	return m, errors.Join(err, unread, wrong)
}

// inJob reports whether a pod of an Indexed Job executes the matrix. Each try of a pod has the
// same arguments, and the first has nothing to resume.
func (f *matrixFlags) inJob() bool { return strings.HasPrefix(f.shard, "job/") }

// readShard returns the part that --shard names; nil: all parts.
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

// readCosts reads the costs of cells from an earlier matrix, if the user names its file.
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

// playMatrix executes the cells of a matrix that have no result, and writes the results of all.
func playMatrix(ctx context.Context, a *App, m *campaign.Layout, f matrixFlags) (err error) {
	playing := a.Beside(a.Err) // its output goes to the board later
	opened, err := campaign.OpenMatrix(ctx, m, playing.Builds(), f.resume)
	if err != nil {
		return err
	}
	a.Opened.Store(true)
	defer func() { err = errors.Join(err, opened.Close()) }()
	if _, err := openMerged(opened.Dir()); err != nil {
		return err
	}
	if err := cmp.Or(opened.Clear(f.resume), clearMerged(opened.Dir())); err != nil {
		return err
	}
	began, at := time.Now(), campaign.NewRoom(f.run.jobs)
	collectLess(at.AtOnce(m.Groups))
	shown := screen.NewBoard(a.Out, m, at)
	playing.Out, playing.Err = shown, shown
	runner := runnerOf(playing, false)
	runner.Retries, runner.Counted = f.retries, true
	unkept := opened.Execute(ctx, campaign.MatrixConfig{
		Builds: playing.Builds(), Runner: runner, Room: at, Board: shown, GiveUp: func(ctx context.Context) []string { return tellUnbuilt(ctx, playing) },
		Result: func(dir string) (result.Result, []byte) {
			source, raw := gather.Run(dir)
			return source.Result, raw
		},
	})
	shown.Close()
	return errors.Join(concludeMatrix(a, opened, time.Since(began)), unkept)
}
