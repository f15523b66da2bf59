package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/play"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	play.Request
	shard, failOn string
	impacts       bool
}

func newSweep(a *App) *cobra.Command {
	f := sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep PAIR",
		Short: "Play every difference between two releases, with no scenario",
		Long: `sweep compares what two releases publish and permit, makes a valid object for every
difference, and plays all of them on real servers through an upgrade, a rollback and a
second upgrade: once with both releases at default settings, and once with the gates and
APIs of both switched on. It prints, for each difference, what survives.

No row says that a difference is safe: "kept" means in the cells that were played. What
could not be compared, and what no object reached, is listed with the reason.

Each lap has a run directory below --out, with the history of every object.`,
		Example: `  skewsim sweep frobber@1.0..1.1
  skewsim sweep kube-apiserver@v1.36.3..v1.37.2
  skewsim sweep kube-apiserver@v1.36.3..source:../kubernetes --kind Pod
  skewsim sweep crd:manifests/v1..crd:manifests/v2
  skewsim sweep crd:manifests/v1..crd:manifests/v2 --webhooks program.yaml
  skewsim sweep frobber@1.0..1.1 --baseline sweep.json --fail-on frozen`,
		Args: Exactly(1, "one pair of builds, such as frobber@1.0..1.1"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Pair = args[0]
			f.Command = repeatSweep(c, args)
			gate, err := f.gate()
			if err != nil {
				return fault.ByUser(err)
			}
			return runSweep(c.Context(), a, f.Request, gate)
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.Kinds, "kind", nil, "sweep only the differences of this `kind`: Pod, or Deployment.apps; may be repeated")
	flags.StringSliceVar(&f.Paths, "path", nil, "sweep only the differences at this `field`, and within it: .spec.containers[].image; may be repeated")
	flags.StringSliceVar(&f.Gates, "gate", nil, "sweep only the differences of this feature `gate`, and of what is behind it; may be repeated")
	flags.BoolVar(&f.AllPaths, "all-paths", false, "play every path that has a difference, instead of one for each difference")
	flags.StringVar(&f.shard, "shard", "", "play one `part` of the differences, such as 1/4")
	flags.StringVar(&f.Baseline, "baseline", "", "sweep.json of an earlier sweep: report which rows appeared, vanished or got worse, and fail only because of those")
	flags.StringVar(&f.Allow, "allow", "", "`file` with the rows that are accepted, each with its owner")
	flags.StringVar(&f.failOn, "fail-on", string(term.Lost), "fail if a row is at least as bad as this `outcome`: "+strings.Join(outcomes(), ", ")+"; a loss by one actor, such as lost:old-client; or none")
	flags.BoolVar(&f.impacts, "fail-on-impacts", false, "let a row fail also if rule-6 expects what it loses")
	flags.StringVar(&f.Write, "write", "", "write each row as a scenario, with its objects and expectations, into this `directory`")
	flags.BoolVar(&f.Plan, "plan", false, "print the differences that would be played, and play none: starts the servers of both releases, and their programs, to ask what they serve")
	sweepPlaces(flags, &f, "out/sweep")
	return c
}

// sweepPlaces are the flags that say with which servers, and where, a sweep is played.
func sweepPlaces(flags *pflag.FlagSet, f *sweepFlags, out string) {
	cliflags.Seed(flags, &f.Seed)
	cliflags.Options(flags, &f.Options)
	cliflags.Adapter(flags, &f.Adapter)
	cliflags.Server(flags, &f.Server, "the newest cached build, else that of envtest in $KUBEBUILDER_ASSETS")
	cliflags.Webhooks(flags, &f.Webhooks)
	flags.Lookup("webhooks").Usage += " (default: the rules of the folders)"
	cliflags.StorePlace(flags, &f.Store)
	flags.StringVarP(&f.Dir, "out", "o", out, "output `directory`; replaces an earlier sweep")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Minute, "time limit, without builds")
}

// outcomes are those that a gate can have.
func outcomes() (words []string) {
	for _, e := range sweep.Effects() {
		if e.Outcome == term.Kept {
			return words
		}
		if !slices.Contains(words, string(e.Outcome)) && e.Outcome != term.Indeterminate {
			words = append(words, string(e.Outcome))
		}
	}
	return words
}

// repeatSweep returns the command line that repeats a sweep, less --server, which the session adds: every flag
// counts, and the directory is the machine's own.
func repeatSweep(c *cobra.Command, args []string) string {
	return cliflags.Repeat(c, args, "", "out", "server")
}

// gate reads --shard and --fail-on.
func (f *sweepFlags) gate() (sweep.Gate, error) {
	if f.shard != "" {
		part, parts, _ := strings.Cut(f.shard, "/")
		var err, errParts error
		f.Shard, err = strconv.Atoi(part)
		f.Shards, errParts = strconv.Atoi(parts)
		if err != nil || errParts != nil || f.Shards < 1 {
			return sweep.Gate{}, fault.Optionf("{shard} %q: write which part of how many, such as 1/4", f.shard)
		}
	}
	if f.failOn == "none" {
		return sweep.Gate{}, nil
	}
	level, err := term.ParseEffect(f.failOn)
	if err != nil || !slices.Contains(outcomes(), string(level.Outcome)) {
		return sweep.Gate{}, fault.Optionf("{fail-on} %q: name one of %s, lost:ACTOR with one of %s, or none", f.failOn, strings.Join(outcomes(), ", "), strings.Join(term.Actors().Words(), ", "))
	}
	return sweep.Gate{Level: level, AllowImpacts: !f.impacts}, nil
}

// runSweep runs the command, and returns the error that gives the exit code.
func runSweep(ctx context.Context, a *App, r play.Request, gate sweep.Gate) error {
	if err := r.Check(); err != nil {
		return fault.ByUser(err)
	}
	const percent = 300
	CollectWithin(percent, memoryOfSweep())
	options := reports.SweepOptions{FailOn: gate}
	result, err := play.Run(ctx, sweepHost(a, options), r)
	if len(result.Rows) > 0 || err == nil {
		shown := options
		shown.Dir = r.Dir
		text := screen.TextOptions(a.Out, r.Dir)
		shown.Terminal = text.TerminalOptions
		if printed := reports.SweepText(a.Out, result, shown); err == nil {
			err = printed
		}
	}
	switch {
	case len(result.Failing(gate)) > 0 && !fault.Is(err, fault.User):
		return VerdictError{Verdict: term.Fail, Ended: err}
	case err == nil && !r.Plan && gate.Level.Outcome != "" && len(result.LeftOut()) > 0:
		return leftOutError(result)
	case err == nil && !r.Plan && gate.Level.Outcome != "" && isUnknown(result.Rows):
		return errUnknown
	}
	return err
}

// leftOutError is the error of a sweep that leaves kinds out that a webhook converts, and in which no row fails.
func leftOutError(r sweep.Result) error {
	var kinds []string
	for _, row := range r.LeftOut() {
		if name := strings.Trim(row.Kind+"."+row.Group, "."); !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return fmt.Errorf("%s not played, since a webhook converts the objects and no file has its rules: nothing is known of %s. Name the program with --webhooks, add a conversion.yaml with the rules, name other kinds with --kind, accept the rows with --allow, or pass --fail-on none",
		term.Counted(len(r.LeftOut()), "difference was", "differences were"), strings.Join(kinds, ", "))
}

// errUnknown is the error of a sweep that says nothing of what the releases do.
var errUnknown = errors.New("no object exercised any difference, so no row can fail: read the reasons above, write a scenario for the fields, or pass --fail-on none to accept it")

// isUnknown reports whether the releases differ, and servers showed of no published difference what becomes of
// it.
func isUnknown(rows []sweep.Row) bool {
	differs := false
	for _, row := range rows {
		if !row.IsPublished() || row.IsWords() {
			continue
		}
		if row.Exercised {
			return false
		}
		differs = true
	}
	return differs
}

// sweepHost is what a sweep of this app works with.
func sweepHost(a *App, options reports.SweepOptions) play.Host {
	out := Locked(a.Err) // laps and runs print at the same time
	return play.Host{
		Tool: ToolVersion(), Engine: a.Runner(), Builds: a.Builds(), Examples: a.Builder().Examples, Facts: a.Builder().Facts, Out: out, Warn: func(text string) { fmt.Fprintln(out, text) },
		Runtime: func(secrets, logs string) (servers.Runtime, error) {
			a.Temporary(secrets)
			return a.NewRuntime(secrets, logs)
		},
		Serialized: func(ctx context.Context, b servers.Build) (map[string]examples.Serialized, error) {
			return builder.Serialized(ctx, a.Builder(), b)
		},
		Manifests: a.Builder().Manifests,
		Temporary: a.Temporary,
		Events:    func(term.Lap) engine.Events { return a.Screen(io.Discard, out, true) },
		Opened:    func() { a.Opened.Store(true) },
		Lines:     oracle.ProposeFor,
		Report: func(dir string, r sweep.Result) error {
			for _, f := range reports.SweepFiles() {
				if err := rundir.WriteFile(dir, f.Name, func(w io.Writer) error { return f.Write(w, r, options) }); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
