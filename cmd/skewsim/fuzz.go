package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/fuzz/play"
)

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	play.Request
	only          int
	runtimeConfig map[string]string
}

func newFuzz(a *App) *cobra.Command {
	var f fuzzFlags
	c := &cobra.Command{
		Use:   "fuzz PAIR",
		Short: "Send random objects through every version of both releases and back",
		Long: `fuzz generates random objects from the OpenAPI that both releases publish, and sends each
to real servers of both releases on one shared etcd. It creates the object in one version
through one release, reads and rewrites it unchanged in every version through both, and
reads it again where it was created. Every acknowledged value must come back. Exceptions
are fields that the release in between does not publish (rule-6), another spelling of the
same quantity or time, empty values, and added defaults. All objects make the round trip
twice: with the feature gates that published fields need off, and on.

If a server refuses an object, fuzz uses its errors to repair the object, and gives up
after some attempts. If servers accept fewer than half of the objects, the run does not
pass. Seed, kind and number determine an object: --kind and --only send one again.

--out receives fuzz.json, fuzz.txt, logs, and for each failure the smallest object that
still shows it, in a file that a scenario can name. An interrupted run writes what it has
found so far.`,
		Example: `  skewsim fuzz frobber@1.2..1.3
  skewsim fuzz frobber@1.2..1.3+forgets --count 50 --seed 7
  skewsim fuzz kube-apiserver@v1.36.3..v1.37.0 --kind ConfigMap --kind Deployment.apps`,
		Args: Exactly(1, "one pair of builds, such as frobber@1.2..1.3"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Pair, f.Replay = args[0], repeatFuzz(c, args)
			if c.Flags().Changed("only") {
				f.Only = &f.only
			}
			if c.Flags().Changed("runtime-config") {
				f.RuntimeConfig = f.runtimeConfig
			}
			return runFuzz(c.Context(), a, f.Request)
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.Count, "count", 200, "`number` of objects to generate; kinds, versions and releases alternate")
	flags.IntVar(&f.only, "only", 0, "send only the object with this `number`, of the given kind")
	flags.Int64Var(&f.Seed, "seed", 0, "seed of the generated objects: the same seed generates the same objects")
	flags.StringSliceVar(&f.Kinds, "kind", nil, "`kind` of the objects: Deployment, Deployment.apps, Pod. for the core group only, or * for all; may be repeated (default: the only kind that is served)")
	flags.StringSliceVar(&f.Features, "features", nil, "feature `gates` that are off in the first round trip and on in the second (default: the gates that published fields need)")
	cliflags.AllowEmpty(flags, "features") // no gates, and one round trip
	cliflags.Options(flags, &f.Options)
	flags.StringToStringVar(&f.runtimeConfig, "runtime-config", map[string]string{"api/all": "true"}, "API `versions` to enable or disable in both releases, if their servers have this flag; --old-runtime-config and --new-runtime-config override it")
	cliflags.Adapter(flags, &f.Adapter)
	cliflags.Server(flags, &f.Server, "the newest cached build, else that of envtest in $KUBEBUILDER_ASSETS")
	cliflags.StorePlace(flags, &f.Store)
	flags.StringVarP(&f.Dir, "out", "o", "out/fuzz", "output `directory`; replaces an earlier run")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Minute, "time limit, without builds")
	return c
}

// repeatFuzz returns the command line that generates the same objects, less --server, which the session adds,
// and the flags that select one.
func repeatFuzz(c *cobra.Command, args []string) string {
	return cliflags.Repeat(c, args, "seed", "kind", "only", "server", "count", "out", "timeout")
}

// runFuzz runs the command, and returns the error that gives the exit code.
func runFuzz(ctx context.Context, a *App, r play.Request) error {
	result, err := play.Run(ctx, play.Host{
		Engine: a.Runner(), Builds: a.Builds(), Examples: a.Builder().Examples, Out: a.Out, Warn: a.Warn,
		Runtime: func(secrets, logs string) (servers.Runtime, error) {
			a.Temporary(secrets)
			return a.NewRuntime(secrets, logs)
		},
		Opened: func() { a.Opened.Store(true) },
	}, r)
	switch {
	case err != nil && result.Verdict != term.Fail:
		return err
	case err == nil && result.Verdict == term.Pass:
		return nil
	}
	return VerdictError{Verdict: result.Verdict, Ended: err}
}
