package kubeapiserver

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// arguments is the command line of a server: what skewsim needs, then what the
// release's options ask for.
func arguments(id *identity, at servers.Placement, port int) []string {
	args := slices.Concat(storeFlags(at.Store), networkFlags(port), identityFlags(id), assignments("--feature-gates", at.Options.FeatureGates),
		assignments("--runtime-config", at.Options.RuntimeConfig))
	return append(args, at.Options.Flags...)
}

func storeFlags(s servers.Store) []string {
	flags := []string{
		"--etcd-servers=" + s.Endpoint,
		"--etcd-cafile=" + s.CAFile,
		"--etcd-certfile=" + s.CertFile,
		"--etcd-keyfile=" + s.KeyFile,
		// Off: any revision can be read again, and the evidence stays whole.
		"--etcd-compaction-interval=0",
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
		// Without these two a machine with no default route cannot start one.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/16",
	}
}

func identityFlags(id *identity) []string {
	return []string{
		// A given certificate spares the server from making one.
		"--tls-cert-file=" + id.serving.CertFile,
		"--tls-private-key-file=" + id.serving.KeyFile,
		"--cert-dir=" + id.dir,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + id.serviceAccountKey,
		"--service-account-signing-key-file=" + id.serviceAccountKey,
		"--token-auth-file=" + id.tokenFile,
		// Also switches anonymous requests off.
		"--authorization-mode=AlwaysAllow",
		// It would refuse pods until a controller has made the accounts.
		"--disable-admission-plugins=ServiceAccount",
	}
}

// assignments renders --flag=A=true,B=false, in sorted order so that the same
// options always give the same command line.
func assignments(flag string, values map[string]bool) []string {
	if len(values) == 0 {
		return nil
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, name+"="+strconv.FormatBool(values[name]))
	}
	return []string{flag + "=" + strings.Join(pairs, ",")}
}

const (
	forStore    = "skewsim sets it: all replicas share one store, which it watches from the first revision"
	forNetwork  = "skewsim sets it: servers listen on 127.0.0.1 only"
	forIdentity = "skewsim sets it: the replicas share one identity, made for the run"
	forAccess   = "only the run's own token may get in"
	forVia      = "it would let one release answer for another"
)

// refused says why a flag may not be among a release's options; "" if it may.
func refused(name string) string {
	switch name {
	case "feature-gates":
		return "use featureGates"
	case "runtime-config":
		return "use runtimeConfig"
	case "etcd-servers", "etcd-cafile", "etcd-certfile", "etcd-keyfile", "etcd-prefix",
		"etcd-servers-overrides", "etcd-compaction-interval":
		return forStore
	case "bind-address", "secure-port", "advertise-address", "external-hostname", "endpoint-reconciler-type",
		"permit-port-sharing", "permit-address-sharing", "service-cluster-ip-range",
		"insecure-port", "insecure-bind-address", "debug-socket-path":
		return forNetwork
	case "tls-cert-file", "tls-private-key-file", "tls-sni-cert-key", "cert-dir", "token-auth-file",
		"service-account-issuer", "service-account-key-file", "service-account-signing-key-file",
		"service-account-signing-endpoint":
		return forIdentity
	case "anonymous-auth", "authorization-mode", "authorization-config", "authorization-policy-file",
		"authorization-webhook-config-file", "authentication-config", "authentication-token-webhook-config-file",
		"client-ca-file", "enable-bootstrap-token-auth":
		return forAccess
	case "peer-ca-file", "peer-advertise-ip", "peer-advertise-port":
		return forVia
	}
	if strings.HasPrefix(name, "oidc-") || strings.HasPrefix(name, "requestheader-") {
		return forAccess
	}
	return ""
}

// checkFlags refuses the flags that skewsim sets or that would open the server
// to others, all of them in one error.
func checkFlags(flags []string) error {
	var problems []string
	for _, flag := range flags {
		name, ok := flagName(flag)
		if !ok {
			problems = append(problems, fmt.Sprintf("%q: not of the form --name or --name=value", flag))
		} else if why := refused(name); why != "" {
			problems = append(problems, fmt.Sprintf("%q: %s", flag, why))
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("flags: %s", strings.Join(problems, "; "))
}

// flagName is the flag's name as the server will understand it: it takes
// underscores for dashes.
func flagName(flag string) (name string, ok bool) {
	name, _, _ = strings.Cut(flag, "=")
	name, ok = strings.CutPrefix(name, "--")
	return strings.ReplaceAll(name, "_", "-"), ok && name != ""
}
