package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/fuzz/session"
)

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	session.Request
	only          int
	runtimeConfig map[string]string
}

func newFuzz(a *app) *cobra.Command {
	var f fuzzFlags
	c := &cobra.Command{
		Use:   "fuzz PAIR",
		Short: "Send random objects through every version of both releases and back",
		Long: `fuzz makes random objects from the OpenAPI that both releases publish, and sends
each to real servers of both on one shared etcd: it is created in one version
through one release, read in every version through both, written back there
unchanged, and read again where it came from. What was acknowledged must come
back; but for fields that the release on the way does not publish (rule-6), another
spelling of the same amount or time, what is empty, and defaults that are added.
All objects travel once with the features of the pair off and once with them on:
the gates that a published field says it needs.

What a server refuses is mended by what it says, and given up after some trials.
A run of which less than half was accepted is no pass. The seed, the kind and the number
decide an object: --kind and --only play one again.

--out takes fuzz.json, fuzz.txt, logs, and of each failure the smallest object that
still shows it, as a file that a scenario can name. A run that ends early leaves there
what it found by then.`,
		Example: `  skewsim fuzz frobber@1.2..1.3
  skewsim fuzz frobber@1.2..1.3+forgets --count 50 --seed 7
  skewsim fuzz kube-apiserver@v1.36.3..v1.37.0 --kind ConfigMap --kind Deployment.apps`,
		Args: exactly(1, "one pair of builds, such as frobber@1.2..1.3"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Pair, f.Replay = args[0], strings.Join(append([]string{"skewsim fuzz", shell.Quote(args[0])}, againFlags(c)...), " ")
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
	flags.IntVar(&f.Count, "count", 200, "make this `number` of objects; kinds, versions and releases take turns")
	flags.IntVar(&f.only, "only", 0, "send the object of this `number`, of the kind, alone")
	flags.Int64Var(&f.Seed, "seed", 0, "what the objects are made from: the same seed, the same objects")
	flags.StringSliceVar(&f.Kinds, "kind", nil, "make objects of this `kind`, such as Deployment or Deployment.apps, Pod. for that of the core group alone, or * for all; may be repeated (default: the one that is served)")
	flags.StringSliceVar(&f.Features, "features", nil, "switch these `gates` off in one lap and on in the other (default: those that published fields need)")
	cliflags.AllowEmpty(flags, "features") // no gates, and one lap
	cliflags.Options(flags, &f.Options)
	flags.StringToStringVar(&f.runtimeConfig, "runtime-config", map[string]string{"api/all": "true"}, "API `versions` to switch, of both releases, by default where they have that flag; --old-runtime-config and --new-runtime-config are laid over them")
	cliflags.Adapter(flags, &f.Adapter)
	cliflags.Server(flags, &f.Server, "the newest that is built")
	cliflags.StorePlace(flags, &f.Store)
	flags.StringVarP(&f.Dir, "out", "o", "out/fuzz", "the `directory` for what is found; an earlier run there is replaced")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Minute, "give up after this long, without builds")
	return c
}

// againFlags returns the flags that a replay needs, as given.
func againFlags(c *cobra.Command) []string {
	names := slices.Concat([]string{"adapter", "features"}, cliflags.OptionNames(), []string{"runtime-config"}, cliflags.StoreNames(), []string{"seed"})
	return cliflags.Again(c.Flags(), names, "seed")
}

// runFuzz runs the command, and returns the error that gives the exit code.
func runFuzz(ctx context.Context, a *app, r session.Request) error {
	result, err := session.Run(ctx, session.Host{
		Engine: a.runner(), Builds: a.builds(), Examples: a.builder().Examples, Out: a.out, Warn: a.warn,
		Runtime: func(secrets, logs string) (servers.Runtime, error) {
			a.secrets.Store(&secrets)
			return a.newRuntime(secrets, logs)
		},
		Opened: func() { a.opened.Store(true) },
	}, r)
	switch {
	case err != nil && result.Verdict != term.Fail:
		return err
	case err == nil && result.Verdict == term.Pass:
		return nil
	}
	return verdictError{verdict: result.Verdict, ended: err}
}
