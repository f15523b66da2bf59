package apiserver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Component describes one kind of API server.
type Component struct {
	// Name is the Component of its builds.
	Name string
	// Flags returns the flags that its servers need in addition to those of all servers.
	Flags func(servers.Build, *Identity) []string
	// Replaces returns the flags that replace some of Flags for a release's options. May be nil.
	Replaces func(servers.Options) []string
	// Chooses returns the flags that select the release of a build in its executable, for
	// questions that are answered without starting a server. May be nil.
	Chooses func(servers.Build) []string
	// Refused returns why a release's options may not set a flag, named without dashes, or ""
	// if they may. It is not called for flags that are refused for all servers.
	Refused func(flag string) string
	// TakesOver is a gate; see servers.GateTeller. It may be empty.
	TakesOver string
	// Aggregated marks the component of all builds that run behind a kube-apiserver, whatever
	// their component is called. The kube-apiserver authorizes their clients and determines
	// their /version.
	Aggregated bool
	// Names maps flags that skewsim sets to the names that its servers use; see
	// servers.Aggregation. A flag is refused under both names.
	Names map[string]string
	// Behaviour are the flags that a scenario file may set; see AgainstFile.
	Behaviour map[string]string
	// Polled are the checks of /readyz whose hook first waits a second, with the paths that all answer 200 where its
	// work is done: by the servers before, from the second start on. A server that waits only for them is ready.
	Polled map[string][]string
}

// Of returns the component with the settings of a build.
func (c Component) Of(b servers.Build) Component {
	if b.Aggregated != nil {
		c.Names = b.Aggregated.Names
	}
	return c
}

// starts reports whether a build's servers are of this component.
func (c Component) starts(b servers.Build) bool {
	if b.Aggregated != nil {
		return c.Aggregated
	}
	return c.Name == b.Component && !c.Aggregated
}

// own returns the flags that select the build's release in its executable.
func (c Component) own(b servers.Build) []string {
	if c.Chooses == nil {
		return nil
	}
	return c.Chooses(b)
}

// Needs returns the flags that skewsim sets, whatever the release's options are.
func (c Component) Needs(b servers.Build, id *Identity, at servers.Placement, port int) []string {
	more := at.Flags
	if c.Replaces != nil {
		more = slices.Concat(c.Replaces(at.Options), at.Flags)
	}
	all := slices.Concat(c.Flags(b, id), storeFlags(at.Store), networkFlags(port), c.identityFlags(id))
	all = slices.DeleteFunc(all, func(flag string) bool {
		return slices.ContainsFunc(more, func(other string) bool { return sameFlag(flag, other) })
	})
	return renamed(append(all, more...), b.Aggregated)
}

// Essential reports whether a server must not start without a flag, because the flag keeps it
// on the run's store, on loopback or in its identity.
func Essential(name string) bool {
	switch refused(name) {
	case ForStore:
		return name != compaction
	case ForNetwork, ForIdentity:
		return true
	}
	return false
}

func sameFlag(a, b string) bool {
	one, _ := flagName(a)
	other, _ := flagName(b)
	return one == other
}

// renamed returns flags under the server's names, without those that the server does not have.
func renamed(flags []string, a *servers.Aggregation) (all []string) {
	for _, flag := range flags {
		name, _ := flagName(flag)
		own, is := name, false
		if a != nil {
			own, is = a.Names[name]
		}
		switch {
		case !is:
			all = append(all, flag)
		case own != "":
			_, value, _ := strings.Cut(flag, "=")
			all = append(all, "--"+own+"="+value)
		}
	}
	return all
}

// compaction is the flag that sets how often a server compacts old revisions.
const compaction = "etcd-compaction-interval"

// mayLack returns the flags that a server may start without if its release does not know them.
// Flags that keep a server on loopback, on the run's store and in its identity are not among
// them: an executable that does not know those fails with its own message. Renamed flags are
// not among them either, because the adapter declares that the server has them.
func (c Component) mayLack(b servers.Build, flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(flag string) bool {
		name, _ := flagName(flag)
		return name != compaction && c.refusal(name) != "" || b.Aggregated != nil && has(b.Aggregated.Names, name)
	})
}

// has reports whether a name is the server's own name for some flag.
func has(names map[string]string, own string) bool {
	return slices.Contains(slices.Collect(maps.Values(names)), own)
}

// asks returns the flags that a build always starts with, followed by those of the release's
// options.
func asks(b servers.Build, o servers.Options) []string {
	var always []string
	of := ""
	if b.Aggregated != nil {
		always, of = b.Aggregated.Flags, b.Aggregated.Globals
	}
	return slices.Concat(always, assignments("--feature-gates", of, o.FeatureGates), assignments("--runtime-config", "", o.RuntimeConfig),
		versionFlags(of, o), o.Flags)
}

// Arguments returns the command line of a server: the flags that skewsim sets, without those
// that the release lacks, then those of the release's options.
func (c Component) Arguments(b servers.Build, id *Identity, at servers.Placement, port int, lacks []string) []string {
	needs := slices.DeleteFunc(c.Needs(b, id, at, port), func(flag string) bool {
		name, _ := flagName(flag)
		return slices.Contains(lacks, name)
	})
	return append(needs, asks(b, at.Options)...)
}

func storeFlags(s servers.Store) []string {
	flags := []string{
		"--etcd-servers=" + s.Endpoint,
		"--etcd-cafile=" + s.CAFile,
		"--etcd-certfile=" + s.CertFile,
		"--etcd-keyfile=" + s.KeyFile,
		// Off, so that every revision stays readable as evidence.
		"--" + compaction + "=0",
	}
	if s.Prefix != "" {
		flags = append(flags, "--etcd-prefix="+s.Prefix)
	}
	return flags
}

func networkFlags(port int) []string {
	return []string{
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(port),
		// A socket of ours reserves the port; it does not listen.
		"--permit-port-sharing=true",
	}
}

func (c Component) identityFlags(id *Identity) []string {
	flags := []string{
		// With a given certificate the server does not generate one.
		"--tls-cert-file=" + id.Serving.CertFile,
		"--tls-private-key-file=" + id.Serving.KeyFile,
		"--cert-dir=" + id.Dir,
	}
	if c.Aggregated {
		return flags // its kube-apiserver authenticates tokens
	}
	return append(flags, "--token-auth-file="+id.TokenFile)
}

// versionFlags returns the flags of KEP-4330 for a component of the server; of is "" for the
// server's own.
func versionFlags(of string, o servers.Options) (flags []string) {
	if of != "" {
		of += "="
	}
	if o.EmulatedVersion != "" {
		flags = append(flags, "--emulated-version="+of+o.EmulatedVersion)
	}
	if o.MinCompatibilityVersion != "" {
		flags = append(flags, "--min-compatibility-version="+of+o.MinCompatibilityVersion)
	}
	return flags
}

// assignments renders --flag=A=true,B=false, sorted so that the same options always result in
// the same command line. With a component C it renders --flag=C:A=true.
func assignments(flag, of string, values map[string]bool) []string {
	if of != "" {
		of += ":"
	}
	if len(values) == 0 {
		return nil
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, of+name+"="+strconv.FormatBool(values[name]))
	}
	return []string{flag + "=" + strings.Join(pairs, ",")}
}

// Reasons to refuse a flag.
const (
	ForStore    = "skewsim sets it: all replicas share one store, which it watches from the first revision"
	ForNetwork  = "skewsim sets it: servers listen on 127.0.0.1 only"
	ForIdentity = "skewsim sets it: the replicas share one identity, made for the run"
	ForAccess   = "only the run's own token may get in"
)

// refused returns why no API server's options may set a flag, or "" if they may.
func refused(name string) string {
	switch name {
	case "feature-gates":
		return "use featureGates"
	case "runtime-config":
		return "use runtimeConfig"
	case "encryption-provider-config", "encryption-provider-config-automatic-reload":
		return "use encryption"
	case "emulated-version":
		return "use emulatedVersion"
	case "min-compatibility-version":
		return "use minCompatibilityVersion"
	case "etcd-servers", "etcd-cafile", "etcd-certfile", "etcd-keyfile", "etcd-prefix",
		"etcd-servers-overrides", compaction:
		return ForStore
	case "bind-address", "secure-port", "external-hostname", "permit-port-sharing", "permit-address-sharing", "debug-socket-path":
		return ForNetwork
	case "tls-cert-file", "tls-private-key-file", "tls-sni-cert-key", "cert-dir", "token-auth-file":
		return ForIdentity
	case "anonymous-auth", "authentication-config", "authentication-token-webhook-config-file", "client-ca-file",
		"authorization-mode", "authorization-config", "authorization-webhook-config-file":
		return ForAccess
	}
	if strings.HasPrefix(name, "oidc-") || strings.HasPrefix(name, "requestheader-") {
		return ForAccess
	}
	return ""
}

// CheckFlags returns one error for all flags that skewsim sets itself or that would open the
// server to other users.
func (c Component) CheckFlags(flags []string) error {
	var problems []string
	for _, flag := range flags {
		if why := c.Against(flag); why != "" {
			problems = append(problems, why)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("flags: %s", strings.Join(problems, "; "))
}

// Against returns why the options of no release may set a flag, or "" if they may.
func (c Component) Against(flag string) string {
	name, ok := flagName(flag)
	if !ok {
		return fmt.Sprintf("%q: not of the form --name or --name=value", flag)
	}
	if why := c.refusal(name); why != "" {
		return fmt.Sprintf("%q: %s", flag, why)
	}
	return ""
}

func (c Component) refusal(name string) string {
	for _, meant := range append(c.meant(name), name) {
		if why := cmp.Or(refused(meant), c.Refused(meant)); why != "" {
			return why
		}
	}
	return ""
}

// meant returns the flags that skewsim sets under the name, sorted.
func (c Component) meant(name string) (all []string) {
	for flag, own := range c.Names {
		if own != "" && dashed(own) == name {
			all = append(all, flag)
		}
	}
	slices.Sort(all)
	return all
}

// flagName returns the flag's name as the server parses it: underscores count as dashes.
func flagName(flag string) (name string, ok bool) {
	name, _, _ = strings.Cut(flag, "=")
	name, ok = strings.CutPrefix(name, "--")
	return dashed(name), ok && name != ""
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }
