package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/engine"
)

// runFlags are the flags of run.
type runFlags struct {
	// Request has the flags that say what is run. Its scenario is found later.
	engine.Request
	drawn orderFlags
	quiet bool
	jobs  int // how many journeys at once; 0: as many as cores
	// jobsGiven: the user says so
	jobsGiven bool
	isolate   bool
}

// registerPair registers the ways to name the two builds of a request, and how they are run.
func registerPair(flags *pflag.FlagSet, r *engine.Request) {
	flags.StringVar(&r.Pair.Pair, "pair", "", "both `builds`: frobber@1.0..1.1, kube-apiserver@v1.36.3..v1.37.0 (default: the scenario's own pair)")
	flags.StringVar(&r.Pair.Old, "old", "", "the old release's `build`: frobber@1.0, kube-apiserver@v1.36.3 or path:FILE (default: the scenario's own)")
	flags.StringVar(&r.Pair.New, "new", "", "the new release's `build`, likewise")
	flags.StringArrayVar(&r.Pair.Releases, "release", nil, "a `build`; give it twice, old first")
	flags.IntVar(&r.Skew, "skew", 0, "refuse a pair whose releases are more than so `many` minor releases apart (default: any number)")
	registerAdapter(flags, &r.Adapter)
	flags.Lookup("adapter").Usage += " (default: the scenario's own)"
	registerServer(flags, &r.Server, "the scenario's own, else the newest that is built")
	registerPrograms(flags, &r.AllowPrograms)
	flags.StringVar((*string)(&r.AA), "aa", "", "execute an A/A run: the `release` old or new is both releases of the pair, and nothing may be found; constraints and expectations do not count")
	flags.StringVar((*string)(&r.AA), "placebo", "", "the name that --aa had before")
	_ = flags.MarkHidden("placebo") // it is registered above
}

// registerChain registers what has a scenario run over more than two releases.
func registerChain(flags *pflag.FlagSet, c *engine.ChainOptions) {
	flags.StringVar(&c.Through, "through", "", "a chain of `releases`, played hop by hop on one store, forward and back: frobber@1.0..1.30, or a list such as kube-apiserver@v1.36.3,v1.37.0")
	flags.BoolVar(&c.Forward, "forward", false, "have the chain end at its newest release, without the way back")
	flags.BoolVar(&c.WithoutRewrite, "without-rewrite", false, "on a chain's way back, leave what is stored as it is, instead of having it written again after each rollback")
}

// orderFlags say which orders of operations are run besides the scenario's lines.
type orderFlags struct {
	count, only           int
	countGiven, onlyGiven bool
}

func (f *orderFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.count, "orders", -1, "how many `copies` more go through an order of operations that the seed draws from the lines (default: what the scenario says)")
	flags.IntVar(&f.only, "only", 0, "of the orders, play the one with this `number` alone, as findings name it")
}

// given notes which of the flags the user gives.
func (f *orderFlags) given(flags *pflag.FlagSet) {
	f.countGiven, f.onlyGiven = flags.Changed("orders") && f.count != -1, flags.Changed("only")
}

// orders are what the flags ask for. Errors: the numbers cannot be.
func (f orderFlags) orders() (engine.Orders, error) {
	o := engine.Orders{Only: f.only}
	if f.countGiven {
		o.Count = &f.count
	}
	if f.onlyGiven && f.only == 0 {
		return o, fmt.Errorf("--only %d: orders are numbered from 1", f.only)
	}
	return o, o.Check()
}

// registerOptions registers the options that the servers of each release have beside those
// of the scenario.
func registerOptions(flags *pflag.FlagSet, o *engine.Options) {
	registerServerOptions(flags, term.Old, &o.Old)
	registerServerOptions(flags, term.New, &o.New)
}

func registerServerOptions(flags *pflag.FlagSet, role term.Role, e *engine.ServerOptions) {
	name := func(option string) string { return string(role) + "-" + option }
	of := fmt.Sprintf("of the %s release's servers", role)
	flags.StringToStringVar(&e.FeatureGates, name("feature-gates"), nil, "`gates` "+of+": A=true,B=false")
	flags.StringToStringVar(&e.RuntimeConfig, name("runtime-config"), nil, "`APIs` "+of+" to switch: api/all=true")
	flags.StringVar(&e.GateStage, name("gate-stage"), "", "switch on every gate "+of+" of a `stage`: alpha or beta")
	flags.StringVar(&e.EmulatedVersion, name("emulated-version"), "", "the `release` that they emulate, such as 1.36; old: that of the old release")
	flags.StringVar(&e.MinCompatibilityVersion, name("min-compatibility-version"), "", "the earliest `release` that they go along with, likewise")
	flags.StringArrayVar(&e.Flags, name("flags"), nil, "a further `flag` "+of+", as it stands: --v=2; may be repeated")
}

// optionNames are what the flags are called, in the order that a command repeats them in.
func optionNames() (all []string) {
	for _, option := range []string{"feature-gates", "gate-stage", "emulated-version", "min-compatibility-version", "flags", "runtime-config"} {
		all = append(all, "old-"+option, "new-"+option)
	}
	return all
}

// registerStore registers the flags of the etcd that the servers share.
func registerStore(flags *pflag.FlagSet, f *engine.Store) {
	registerStorePlace(flags, f)
	flags.BoolVar(&f.Fsync, "fsync", false, "have etcd write to disk before it answers, as in production; slower")
	flags.BoolVar(&f.Keep, "keep-store", false, "keep etcd's data in the run directory; with --etcd, leave the run's keys there")
}

// registerStorePlace registers the flags that say where the store is. Those of its
// certificates are called as kube-apiserver's.
func registerStorePlace(flags *pflag.FlagSet, f *engine.Store) {
	flags.StringVar(&f.Image, "store", "", "run the etcd that the servers share from a container `image`, image:NAME, on this machine's Docker engine (default: within skewsim)")
	flags.StringSliceVar(&f.Etcd, "etcd", nil, "play on the etcd at these `URLs`, of a test cluster, below a random prefix that is removed afterwards (default: an etcd of the run's own)")
	flags.StringVar(&f.CAFile, "etcd-cafile", "", "of --etcd: the `file` with the authority of its certificate")
	flags.StringVar(&f.CertFile, "etcd-certfile", "", "of --etcd: the `file` with the client certificate to show it")
	flags.StringVar(&f.KeyFile, "etcd-keyfile", "", "of --etcd: the `file` with that certificate's key")
}

// storeNames are the names of the flags that registerStorePlace registers, as a command that
// plays something again has them.
func storeNames() []string {
	return []string{"store", "etcd", "etcd-cafile", "etcd-certfile", "etcd-keyfile"}
}
