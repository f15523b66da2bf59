package cliflags

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/engine"
)

// Pair registers the ways to name the two builds of a request, and how they are run.
func Pair(flags *pflag.FlagSet, r *engine.Request) {
	flags.StringVar(&r.Pair.Pair, "pair", "", "`builds` of both releases: frobber@1.0..1.1, kube-apiserver@v1.36.3..v1.37.0 (default: the scenario's own pair)")
	flags.StringVar(&r.Pair.Old, "old", "", "`build` of the old release: frobber@1.0, kube-apiserver@v1.36.3 or path:FILE (default: the scenario's own)")
	flags.StringVar(&r.Pair.New, "new", "", "`build` of the new release (default: the scenario's own)")
	flags.StringArrayVar(&r.Pair.Releases, "release", nil, "`build` of a release; give it twice, old first")
	flags.IntVar(&r.Skew, "skew", 0, "refuse a pair whose releases are more than this `number` of minor releases apart (default: any number)")
	Adapter(flags, &r.Adapter)
	flags.Lookup("adapter").Usage += " (default: the scenario's own)"
	Server(flags, &r.Server, "the scenario's own, else the newest that is built, else that of envtest in $KUBEBUILDER_ASSETS")
	Webhooks(flags, &r.Webhooks)
	flags.Lookup("webhooks").Usage += " (default: the scenario's own, else the rules of the folders)"
	Programs(flags, &r.AllowPrograms)
	flags.StringVar((*string)(&r.AA), "aa", "", "execute an A/A run with one `release`, old or new, in both places: every finding is unexpected; constraints and expectations are ignored")
	Alias(flags, "aa", "placebo")
}

// Adapter registers the flag for an adapter's file.
func Adapter(flags *pflag.FlagSet, adapter *string) {
	flags.StringVar(adapter, "adapter", "", "for builds module:MODULE@VERSION, the `file` that describes how to start their server")
}

// Server registers --server. Without a value it means what the text says.
func Server(flags *pflag.FlagSet, server *string, without string) {
	flags.StringVar(server, "server", "", "for crd: builds, the kube-apiserver `build` to install the definitions on (default: "+without+")")
}

// Webhooks registers the flag for the programs that convert custom resources.
func Webhooks(flags *pflag.FlagSet, webhooks *string) {
	flags.StringVar(webhooks, "webhooks", "", "for crd: builds, the `file` with the programs that convert objects, or auto: they are generated from the Go modules of the builds")
}

// Programs registers the flag that allows scenario files to choose the programs to execute.
// It is off by default, since scenario files come with pull requests of strangers.
func Programs(flags *pflag.FlagSet, allowed *bool) {
	flags.BoolVar(allowed, "allow-programs", false, "allow scenario files to choose the programs to execute: path:, source:, image: and module: builds, adapters, Helm charts, and programs that convert or admit")
}

// AllowsPrograms reports whether a command has the flag of Programs, and its user gives it.
func AllowsPrograms(flags *pflag.FlagSet) bool {
	allowed, err := flags.GetBool("allow-programs")
	return err == nil && allowed
}

// Chain registers the flags that run a scenario over more than two releases.
func Chain(flags *pflag.FlagSet, c *engine.ChainOptions) {
	flags.StringVar(&c.Through, "through", "", "`releases` of a chain, run hop by hop on one store, forward and back: frobber@1.0..1.30, or a list such as kube-apiserver@v1.36.3,v1.37.0")
	flags.BoolVar(&c.Forward, "forward", false, "end the chain at its newest release")
	flags.BoolVar(&c.WithoutRewrite, "without-rewrite", false, "on a chain's way back, do not rewrite stored objects after each rollback")
}

// Seed registers the flag for the seed of a run.
func Seed(flags *pflag.FlagSet, seed *int64) {
	flags.Int64Var(seed, "seed", 0, "seed for the order that the scenario leaves open; 0 keeps the scenario's own order")
}

// Orders are the flags for orders of operations beside the scenario's lines.
type Orders struct {
	count, only           int
	countGiven, onlyGiven bool
}

// Register registers the flags.
func (f *Orders) Register(flags *pflag.FlagSet) {
	flags.IntVar(&f.count, "orders", -1, "`number` of additional copies, each with an order of operations drawn by the seed (default: the scenario's own)")
	flags.Lookup("orders").DefValue = "0" // -1 says that it is not given
	flags.IntVar(&f.only, "only", 0, "run only the order with this `number`, as findings name it")
}

// Given records which of the flags the user gives.
func (f *Orders) Given(flags *pflag.FlagSet) {
	f.countGiven, f.onlyGiven = flags.Changed("orders") && f.count != -1, flags.Changed("only")
}

// Parse returns the orders of a request. Errors: the numbers are not valid.
func (f Orders) Parse() (engine.Orders, error) {
	o := engine.Orders{Only: f.only}
	if f.countGiven {
		o.Count = &f.count
	}
	if f.onlyGiven && f.only == 0 {
		return o, fmt.Errorf("--only %d: orders are numbered from 1", f.only)
	}
	return o, o.Check()
}

// Options registers the options that the servers of each release have beside those of the
// scenario.
func Options(flags *pflag.FlagSet, o *engine.Options) {
	serverOptions(flags, term.Old, &o.Old)
	serverOptions(flags, term.New, &o.New)
}

func serverOptions(flags *pflag.FlagSet, role term.Role, e *engine.ServerOptions) {
	name := func(option string) string { return string(role) + "-" + option }
	of := fmt.Sprintf("of the %s release", role)
	flags.StringToStringVar(&e.FeatureGates, name("feature-gates"), nil, "feature `gates` "+of+": A=true,B=false")
	flags.StringToStringVar(&e.RuntimeConfig, name("runtime-config"), nil, "`APIs` "+of+" to enable or disable: api/all=true")
	flags.StringVar(&e.GateStage, name("gate-stage"), "", "enable every feature gate "+of+" at this `stage`: alpha or beta")
	flags.StringVar(&e.EmulatedVersion, name("emulated-version"), "", "`version` that the servers "+of+" emulate, such as 1.36; old: the version of the old release")
	flags.StringVar(&e.MinCompatibilityVersion, name("min-compatibility-version"), "", "minimum compatibility `version` "+of+", such as 1.36; old: the version of the old release")
	for _, option := range []string{"feature-gates", "runtime-config"} {
		flags.Lookup(name(option)).DefValue = "" // "[]" is no default that a user could write
	}
	flags.StringArrayVar(&e.Flags, name("flags"), nil, "additional `flag` for the servers "+of+": --v=2; may be repeated")
}

// OptionNames returns the names of the flags of Options.
func OptionNames() (all []string) {
	for _, option := range []string{"feature-gates", "gate-stage", "emulated-version", "min-compatibility-version", "flags", "runtime-config"} {
		all = append(all, "old-"+option, "new-"+option)
	}
	return all
}

// Store registers the flags of the etcd that the servers share.
func Store(flags *pflag.FlagSet, f *engine.Store) {
	StorePlace(flags, f)
	flags.BoolVar(&f.Fsync, "fsync", false, "let etcd sync to disk before it answers, as in production; slower")
	flags.BoolVar(&f.Keep, "keep-store", false, "keep etcd's data in the run directory; with --etcd, leave the run's keys there")
}

// StorePlace registers the flags for the place of the store. The flags for its certificates
// have the names that kube-apiserver gives them.
func StorePlace(flags *pflag.FlagSet, f *engine.Store) {
	flags.StringVar(&f.Image, "store", "", "container `image` of the shared etcd, image:NAME, on the local Docker engine (default: an etcd embedded in skewsim)")
	flags.StringSliceVar(&f.Etcd, "etcd", nil, "`URLs` of the etcd of a test cluster; the run uses a random prefix and removes it at the end (default: an etcd of the run's own)")
	flags.StringVar(&f.CAFile, "etcd-cafile", "", "with --etcd, the `file` with the CA certificate")
	flags.StringVar(&f.CertFile, "etcd-certfile", "", "with --etcd, the `file` with the client certificate")
	flags.StringVar(&f.KeyFile, "etcd-keyfile", "", "with --etcd, the `file` with the client key")
}
