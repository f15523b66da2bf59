package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/rundir"
)

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	count, only     int
	seed            int64
	kinds, features []string
	options         engine.Options
	runtimeConfig   map[string]string
	apis            bool   // the user said which to switch
	adapter         string // a file; "": none
	server          string // what manifests are installed on; "": the newest that is built
	out             string
	timeout         time.Duration
	store           engine.Store
	again           []string // the flags that decide what is made and sent
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
			f.again, f.apis = againFlags(c), c.Flags().Changed("runtime-config")
			return a.fuzz(c.Context(), args[0], f, c.Flags().Changed("only"))
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.count, "count", 200, "make so many `objects`; kinds, versions and releases take turns")
	flags.IntVar(&f.only, "only", 0, "play the object of this `number`, of the kind, alone")
	flags.Int64Var(&f.seed, "seed", 0, "what the objects are made from: the same seed, the same objects")
	flags.StringSliceVar(&f.kinds, "kind", nil, "make objects of this `kind`, such as Deployment or Deployment.apps, Pod. for that of the core group alone, or * for all; may be repeated (default: the one that is served)")
	flags.StringSliceVar(&f.features, "features", nil, "switch these `gates` off in one lap and on in the other (default: those that published fields need)")
	_ = flags.SetAnnotation("features", mayBeEmpty, nil) // no gates, and one lap: it is there
	registerOptions(flags, &f.options)
	flags.StringToStringVar(&f.runtimeConfig, "runtime-config", map[string]string{"api/all": "true"}, "API `versions` to switch, of both releases, by default where they have that flag; --old-runtime-config and --new-runtime-config are laid over them")
	registerAdapter(flags, &f.adapter)
	registerServer(flags, &f.server, "the newest that is built")
	registerStorePlace(flags, &f.store)
	flags.StringVarP(&f.out, "out", "o", "out/fuzz", "the `directory` for what is found; an earlier run there is replaced")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Minute, "give up after this long, builds apart")
	return c
}

// againFlags are the flags, as given, that a replay needs: for a shell, and in one
// order whatever the order of a map is.
func againFlags(c *cobra.Command) []string {
	var all []string
	for _, name := range slices.Concat([]string{"adapter", "features"}, optionNames(), []string{"runtime-config"}, storeNames(), []string{"seed"}) {
		if flag := c.Flags().Lookup(name); flag.Changed || name == "seed" {
			for _, text := range flagTexts(c, flag) {
				all = append(all, "--"+name+" "+inShell(text))
			}
		}
	}
	return all
}

// flagTexts are the values of a flag: one, but of a flag that takes one at a time.
func flagTexts(c *cobra.Command, flag *pflag.Flag) []string {
	list, ok := flag.Value.(pflag.SliceValue)
	switch {
	case ok && flag.Value.Type() == "stringArray":
		return list.GetSlice()
	case ok:
		return []string{strings.Join(list.GetSlice(), ",")}
	}
	return []string{flagText(c, flag)}
}

// flagText is the value of a flag, as the command line takes it.
func flagText(c *cobra.Command, flag *pflag.Flag) string {
	values, err := c.Flags().GetStringToString(flag.Name)
	if err != nil { // it is of another type
		return flag.Value.String()
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, key+"="+values[key])
	}
	return strings.Join(parts, ",")
}

// plainWord is what no shell reads anything into.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// inShell is a text as one word of a POSIX shell.
func inShell(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// fuzz runs the command, from its words to the exit code.
func (a *app) fuzz(ctx context.Context, pair string, f fuzzFlags, one bool) (err error) {
	config, err := f.config(pair, one)
	if err := errors.Join(err, f.store.Check()); err != nil {
		return usage(err)
	}
	if err := engine.Reachable(ctx, a.builds(), f.store); err != nil {
		return err
	}
	old, new, err := servers.ParsePair(pair)
	if err = cmp.Or(err, engine.Adapt(f.adapter, &old, &new), engine.OnServer(f.server, &old, &new)); err != nil {
		return usage(err)
	}
	if err := sameComponent(engine.ReleaseOf(old), engine.ReleaseOf(new)); err != nil {
		return usage(err)
	}
	if config.Builds, err = a.runner().Servers(ctx, []servers.Reference{old, new}); err != nil {
		return err
	}
	if err := sameComponent(engine.BuiltRelease(config.Builds[term.Old]), engine.BuiltRelease(config.Builds[term.New])); err != nil {
		return usage(err)
	}
	if on := config.Builds[term.New].Installs; on != nil { // a later run may find another to be the newest
		config.Replay += " --server " + inShell(on.Server.Reference)
	}
	sayingOld(config.Options, config.Builds[term.Old])
	f.switchAll(ctx, config)
	config.GateTags, config.Examples = a.builds().GateTags(ctx, config.Builds, a.warn), a.examples(ctx, config.Builds)
	dir, err := rundir.Open(f.out)
	if err != nil {
		return err
	}
	a.opened.Store(true)
	defer func() { err = errors.Join(err, dir.Close()) }()
	ctx, cancel := engine.WithTimeout(ctx, f.timeout)
	defer cancel()
	return engine.Late(ctx, a.fuzzInto(ctx, dir, f.store, config))
}

func sameComponent(old, new pairing.Release) error {
	return pairing.Pair{Old: old, New: new}.Check()
}

// config is what the flags ask for.
func (f fuzzFlags) config(pair string, one bool) (fuzz.Config, error) {
	c := fuzz.Config{Seed: f.seed, Count: f.count, Kinds: f.kinds, Features: f.features}
	c.Replay = strings.Join(append([]string{"skewsim fuzz", inShell(pair)}, f.again...), " ")
	if one {
		c.Only = &f.only
	}
	if f.timeout <= 0 {
		return c, fmt.Errorf("--timeout %s: must be more than nothing", f.timeout)
	}
	if f.count < 1 {
		return c, fmt.Errorf("--count %d: must be 1 or more", f.count)
	}
	if one && f.only < 0 {
		return c, fmt.Errorf("--only %d: objects are numbered from 0", f.only)
	}
	var switched map[string]bool
	var problems []error
	if f.apis {
		given, err := engine.ParseSwitches("--runtime-config", f.runtimeConfig)
		switched, problems = given, append(problems, err)
	}
	c.Options = map[term.Role]servers.Options{}
	for role, end := range f.options.ByRole() {
		o, err := end.Parse(role)
		if end.GateStage != "" {
			err = errors.Join(err, fmt.Errorf("--%s-gate-stage: which gates are switched the laps decide: name them with --features", role))
		}
		problems = append(problems, err)
		c.Options[role] = servers.Options{
			FeatureGates: o.FeatureGates, RuntimeConfig: scenarios.LaidOver(switched, o.RuntimeConfig), Flags: o.Flags,
			EmulatedVersion: o.EmulatedVersion, MinCompatibilityVersion: o.MinCompatibilityVersion,
		}
	}
	return c, errors.Join(problems...)
}

// sayingOld puts the old build's version wherever options say old.
func sayingOld(all map[term.Role]servers.Options, old servers.Build) {
	for role, o := range all {
		for _, version := range []*string{&o.EmulatedVersion, &o.MinCompatibilityVersion} {
			if *version == string(term.Old) {
				*version = plan.MinorOf(old.Version)
			}
			*version = strings.TrimPrefix(*version, "v")
		}
		all[role] = o
	}
}

// areFlags refuses what is no flag of a server. Which ones it may have, is asked of
// the build.
func areFlags(name string, given []string) error {
	var problems []error
	for _, text := range given {
		if !strings.HasPrefix(text, "--") {
			problems = append(problems, fmt.Errorf("%s %q: not a flag such as --v=2", name, text))
		}
	}
	return errors.Join(problems...)
}

// fuzzInto runs, and leaves in the directory what was found, however the run ended.
func (a *app) fuzzInto(ctx context.Context, dir *rundir.Dir, at engine.Store, c fuzz.Config) (err error) {
	secrets := dir.File("secrets")
	a.secrets.Store(&secrets)
	runtime, err := a.newRuntime(secrets, dir.File("logs"))
	if err != nil {
		return err
	}
	shared := func(string) bool { return true } // both releases are asked on each
	all := engine.Stores{Dir: dir, Store: at, Builds: a.builds(), Shared: shared, Warn: func(text string) { a.warn("skewsim: " + text) }}
	c.Runtime = runtime
	c.OpenStore = func(ctx context.Context, name string) (fuzz.Store, error) { return all.Open(ctx, name) }
	c.Note = func(text string) { fmt.Fprintln(a.out, text) }
	result, runErr := fuzz.Run(ctx, c)
	err = errors.Join(runtime.Close(), all.Remove(), os.RemoveAll(secrets), keepObjects(dir, &result))
	err = errors.Join(err, rundir.WriteFile(dir.Path, "fuzz.json", func(w io.Writer) error { return printJSON(w, result) }))
	err = errors.Join(err, rundir.WriteFile(dir.Path, "fuzz.txt", func(w io.Writer) error { return fuzz.Text(w, result) }))
	if len(result.Laps) > 0 || ctx.Err() != nil {
		err = errors.Join(err, fuzz.Text(a.out, result))
	}
	if err = engine.Advise(errors.Join(runErr, err)); err != nil || result.Verdict != term.Pass {
		return fuzzVerdict(result.Verdict, err)
	}
	return nil
}

// fuzzVerdict is what the exit code is told. What ended a run that found nothing
// speaks for itself.
func fuzzVerdict(word term.VerdictWord, ended error) error {
	if ended != nil && word != term.Fail {
		return ended
	}
	return verdictError{verdict: word, ended: ended}
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// keepObjects writes the object of each violation as a file of its own.
func keepObjects(dir *rundir.Dir, r *fuzz.Result) error {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Class != term.Violation {
			continue
		}
		f.File = filepath.Join("objects", fmt.Sprintf("%02d-%s-%d.yaml", i+1, f.Check, f.First))
		if err := os.MkdirAll(dir.File("objects"), 0o700); err != nil {
			return err
		}
		body, err := yaml.Marshal(f.Object)
		if err != nil {
			return err
		}
		err = rundir.WriteFile(dir.Path, f.File, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "# %s\n# %s\n%s", strings.ReplaceAll(f.Message, "\n", "\n# "), r.Again(fuzz.Object{Kind: f.Kind, Number: f.First}), body)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
