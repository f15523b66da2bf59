package cliflags

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/engine"
)

// Pair registers the ways to name the two builds of a request, and how they are run.
func Pair(flags *pflag.FlagSet, r *engine.Request) {
	flags.StringVar(&r.Pair.Pair, "pair", "", "both `builds`: frobber@1.0..1.1, kube-apiserver@v1.36.3..v1.37.0 (default: the scenario's own pair)")
	flags.StringVar(&r.Pair.Old, "old", "", "the old release's `build`: frobber@1.0, kube-apiserver@v1.36.3 or path:FILE (default: the scenario's own)")
	flags.StringVar(&r.Pair.New, "new", "", "the new release's `build` (default: the scenario's own)")
	flags.StringArrayVar(&r.Pair.Releases, "release", nil, "a `build`; give it twice, old first")
	flags.IntVar(&r.Skew, "skew", 0, "refuse a pair whose releases are more than this `number` of minor releases apart (default: any number)")
	Adapter(flags, &r.Adapter)
	flags.Lookup("adapter").Usage += " (default: the scenario's own)"
	Server(flags, &r.Server, "the scenario's own, else the newest that is built")
	Programs(flags, &r.AllowPrograms)
	flags.StringVar((*string)(&r.AA), "aa", "", "execute an A/A run: the `release` old or new is both releases of the pair, and nothing may be found; constraints and expectations do not count")
	flags.StringVar((*string)(&r.AA), "placebo", "", "the name that --aa had before")
	_ = flags.MarkHidden("placebo") // it is registered above
}

// Adapter registers the flag for an adapter's file.
func Adapter(flags *pflag.FlagSet, adapter *string) {
	flags.StringVar(adapter, "adapter", "", "of builds that are named as module:MODULE@VERSION, the `file` that says how their server is started")
}

// Server registers --server. Without a value it means what the text says.
func Server(flags *pflag.FlagSet, server *string, without string) {
	flags.StringVar(server, "server", "", "of crd: builds, the kube-apiserver `build` that the definitions are installed on (default: "+without+")")
}

// Programs registers the flag without which no scenario file chooses what is executed: such
// files come with pull requests of strangers.
func Programs(flags *pflag.FlagSet, allowed *bool) {
	flags.BoolVar(allowed, "allow-programs", false, "let scenario files choose what is executed: path:, source:, image: and module: builds, and adapters")
}

// Chain registers the flags that run a scenario over more than two releases.
func Chain(flags *pflag.FlagSet, c *engine.ChainOptions) {
	flags.StringVar(&c.Through, "through", "", "a chain of `releases`, run hop by hop on one store, forward and back: frobber@1.0..1.30, or a list such as kube-apiserver@v1.36.3,v1.37.0")
	flags.BoolVar(&c.Forward, "forward", false, "end the chain at its newest release, without the way back")
	flags.BoolVar(&c.WithoutRewrite, "without-rewrite", false, "on a chain's way back, leave what is stored as it is, instead of having it written again after each rollback")
}

// Seed registers the flag for the seed of a run.
func Seed(flags *pflag.FlagSet, seed *int64) {
	flags.Int64Var(seed, "seed", 0, "order of what the scenario leaves open; 0 keeps the scenario's own order")
}

// Orders are the flags for orders of operations beside the scenario's lines.
type Orders struct {
	count, only           int
	countGiven, onlyGiven bool
}

// Register registers the flags.
func (f *Orders) Register(flags *pflag.FlagSet) {
	flags.IntVar(&f.count, "orders", -1, "how many more `copies` go through an order of operations that the seed draws from the lines (default: what the scenario says)")
	flags.IntVar(&f.only, "only", 0, "of the orders, run the one with this `number` alone, as findings name it")
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
	of := fmt.Sprintf("of the %s release's servers", role)
	flags.StringToStringVar(&e.FeatureGates, name("feature-gates"), nil, "`gates` "+of+": A=true,B=false")
	flags.StringToStringVar(&e.RuntimeConfig, name("runtime-config"), nil, "`APIs` "+of+" to switch: api/all=true")
	flags.StringVar(&e.GateStage, name("gate-stage"), "", "switch on every gate "+of+" of a `stage`: alpha or beta")
	flags.StringVar(&e.EmulatedVersion, name("emulated-version"), "", "the `release` that they emulate, such as 1.36; old: that of the old release")
	flags.StringVar(&e.MinCompatibilityVersion, name("min-compatibility-version"), "", "the earliest `release` that they are compatible with, such as 1.36; old: that of the old release")
	flags.StringArrayVar(&e.Flags, name("flags"), nil, "a further `flag` "+of+", as it is written: --v=2; may be repeated")
}

// OptionNames returns the names of the flags of Options, in the order in which a command
// repeats them.
func OptionNames() (all []string) {
	for _, option := range []string{"feature-gates", "gate-stage", "emulated-version", "min-compatibility-version", "flags", "runtime-config"} {
		all = append(all, "old-"+option, "new-"+option)
	}
	return all
}

// Store registers the flags of the etcd that the servers share.
func Store(flags *pflag.FlagSet, f *engine.Store) {
	StorePlace(flags, f)
	flags.BoolVar(&f.Fsync, "fsync", false, "have etcd write to disk before it answers, as in production; slower")
	flags.BoolVar(&f.Keep, "keep-store", false, "keep etcd's data in the run directory; with --etcd, leave the run's keys there")
}

// StorePlace registers the flags for the place of the store. The flags for its certificates
// have the names that kube-apiserver gives them.
func StorePlace(flags *pflag.FlagSet, f *engine.Store) {
	flags.StringVar(&f.Image, "store", "", "run the etcd that the servers share from a container `image`, image:NAME, on this machine's Docker engine (default: within skewsim)")
	flags.StringSliceVar(&f.Etcd, "etcd", nil, "run on the etcd at these `URLs`, of a test cluster, below a random prefix that is removed afterwards (default: an etcd of the run's own)")
	flags.StringVar(&f.CAFile, "etcd-cafile", "", "of --etcd: the `file` with the authority of its certificate")
	flags.StringVar(&f.CertFile, "etcd-certfile", "", "of --etcd: the `file` with the client certificate to show it")
	flags.StringVar(&f.KeyFile, "etcd-keyfile", "", "of --etcd: the `file` with that certificate's key")
}

// StoreNames returns the names of the flags of StorePlace.
func StoreNames() []string {
	return []string{"store", "etcd", "etcd-cafile", "etcd-certfile", "etcd-keyfile"}
}
