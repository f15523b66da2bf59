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

// Component is one kind of API server: what is special to it.
type Component struct {
	// Name is the Component of its builds.
	Name string
	// Flags are what its servers need besides the flags that all have.
	Flags func(servers.Build, *Identity) []string
	// Chooses are those that make its executable the release of a build, for
	// questions that it is asked without being started. Nil: none.
	Chooses func(servers.Build) []string
	// Refused says why a flag, named without dashes, may not be among a release's
	// options; "" if it may. Those that no server may have are refused before it is asked.
	Refused func(flag string) string
	// TakesOver is a gate; see servers.GateTeller. "": none.
	TakesOver string
	// Aggregated has it stand for the builds that lean on a kube-apiserver, whatever
	// their component is called: that lets their clients in, and what their /version
	// says is theirs to say.
	Aggregated bool
	// Names are what its servers call flags that skewsim gives; see servers.Aggregation.
	// What a flag is refused as, it is refused as under its other name too.
	Names map[string]string
	// Behaviour are the flags that a scenario's file may give; see AgainstFile.
	Behaviour map[string]string
}

// Of is the component as it is in a build.
func (c Component) Of(b servers.Build) Component {
	if b.Aggregated != nil {
		c.Names = b.Aggregated.Names
	}
	return c
}

// starts tells whether a build's servers are the component's.
func (c Component) starts(b servers.Build) bool {
	if b.Aggregated != nil {
		return c.Aggregated
	}
	return c.Name == b.Component && !c.Aggregated
}

// own are the flags that make an executable the build's release.
func (c Component) own(b servers.Build) []string {
	if c.Chooses == nil {
		return nil
	}
	return c.Chooses(b)
}

// Needs are the flags that skewsim gives a server, whatever its release's options.
func (c Component) Needs(b servers.Build, id *Identity, at servers.Placement, port int) []string {
	all := slices.Concat(c.Flags(b, id), storeFlags(at.Store), networkFlags(port), c.identityFlags(id))
	all = slices.DeleteFunc(all, func(flag string) bool {
		return slices.ContainsFunc(at.Flags, func(other string) bool { return sameFlag(flag, other) })
	})
	return renamed(append(all, at.Flags...), b.Aggregated)
}

// Essential tells whether a flag keeps a server on the run's store, on loopback or in
// its identity, so that none is started without it.
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

// renamed are flags as the server calls them, less those that it has not.
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

// compaction is the flag that sets how often a server forgets old revisions.
const compaction = "etcd-compaction-interval"

// mayLack are those of the flags that a server may be started without, where its release
// does not know them. What no release's options may say keeps it on loopback, on the run's
// store and in its identity: an executable that does not know that is not started so, and
// says what it does not know.
// Nor is one that has it under another name: that was said of it.
func (c Component) mayLack(b servers.Build, flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(flag string) bool {
		name, _ := flagName(flag)
		return name != compaction && c.refusal(name) != "" || b.Aggregated != nil && has(b.Aggregated.Names, name)
	})
}

// has tells whether a name is the server's own for some flag.
func has(names map[string]string, own string) bool {
	return slices.Contains(slices.Collect(maps.Values(names)), own)
}

// asks are the flags that the release's options ask for, and before them those that
// the build is always started with.
func asks(b servers.Build, o servers.Options) []string {
	var always []string
	of := ""
	if b.Aggregated != nil {
		always, of = b.Aggregated.Flags, b.Aggregated.Globals
	}
	return slices.Concat(always, assignments("--feature-gates", of, o.FeatureGates), assignments("--runtime-config", "", o.RuntimeConfig),
		versionFlags(of, o), o.Flags)
}

// Arguments is the command line of a server: what skewsim needs, less what the
// release lacks, then what the release's options ask for.
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
		// Off: any revision can be read again, and the evidence stays whole.
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
		// The port is held by a socket of ours that does not listen.
		"--permit-port-sharing=true",
	}
}

func (c Component) identityFlags(id *Identity) []string {
	flags := []string{
		// A given certificate spares the server from making one.
		"--tls-cert-file=" + id.Serving.CertFile,
		"--tls-private-key-file=" + id.Serving.KeyFile,
		"--cert-dir=" + id.Dir,
	}
	if c.Aggregated {
		return flags // it asks the one that it leans on whose a token is
	}
	return append(flags, "--token-auth-file="+id.TokenFile)
}

// versionFlags are those of KEP-4330, of a component of the server; "": its own.
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

// assignments renders --flag=A=true,B=false, in sorted order so that the same
// options always give the same command line. Of a component it is --flag=C:A=true.
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

// Why flags are refused.
const (
	ForStore    = "skewsim sets it: all replicas share one store, which it watches from the first revision"
	ForNetwork  = "skewsim sets it: servers listen on 127.0.0.1 only"
	ForIdentity = "skewsim sets it: the replicas share one identity, made for the run"
	ForAccess   = "only the run's own token may get in"
)

// refused says why a flag of any API server may not be among a release's
// options; "" if it may.
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

// CheckFlags refuses the flags that skewsim sets or that would open the server
// to others, all of them in one error.
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

// Against says why a flag may not be among a release's options, whichever release it
// is; "" if it may.
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

// meant are the flags that skewsim gives under the name, sorted.
func (c Component) meant(name string) (all []string) {
	for flag, own := range c.Names {
		if own != "" && dashed(own) == name {
			all = append(all, flag)
		}
	}
	slices.Sort(all)
	return all
}

// flagName is the flag's name as the server will understand it: it takes
// underscores for dashes.
func flagName(flag string) (name string, ok bool) {
	name, _, _ = strings.Cut(flag, "=")
	name, ok = strings.CutPrefix(name, "--")
	return dashed(name), ok && name != ""
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }
