package kubeapiserver

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
)

// The whole command line, so that a change to it is seen and meant.
func TestArguments(t *testing.T) {
	id := &identity{dir: "D", serving: certs.Pair{CertFile: "D/serving.crt", KeyFile: "D/serving.key"}, serviceAccountKey: "D/sa.key", tokenFile: "D/tokens"}
	got := arguments(id, servers.Placement{
		Store: servers.Store{Endpoint: "https://127.0.0.1:1", CAFile: "ca", CertFile: "crt", KeyFile: "key", Prefix: "/r"},
		Options: servers.Options{
			FeatureGates:  map[string]bool{"B": false, "A": true, "C": true},
			RuntimeConfig: map[string]bool{"x/v1": false, "api/all": true},
			Flags:         []string{"--z=1", "--a=2"},
		},
	}, 7)
	want := []string{
		"--etcd-servers=https://127.0.0.1:1", "--etcd-cafile=ca", "--etcd-certfile=crt", "--etcd-keyfile=key",
		"--etcd-compaction-interval=0", "--etcd-prefix=/r",
		"--bind-address=127.0.0.1", "--secure-port=7", "--permit-port-sharing=true",
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/16",
		"--tls-cert-file=D/serving.crt", "--tls-private-key-file=D/serving.key", "--cert-dir=D",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=D/sa.key",
		"--service-account-signing-key-file=D/sa.key", "--token-auth-file=D/tokens",
		"--authorization-mode=AlwaysAllow", "--disable-admission-plugins=ServiceAccount",
		"--feature-gates=A=true,B=false,C=true", "--runtime-config=api/all=true,x/v1=false",
		"--z=1", "--a=2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, ""},
		{[]string{"--v=2", "--watch-cache=false", "--disable-admission-plugins=Priority", "--emulated-version=1.36"}, ""},
		{[]string{"--feature-gates=A=true"}, `flags: "--feature-gates=A=true": use featureGates`},
		{[]string{"--runtime-config=a/b=true"}, `flags: "--runtime-config=a/b=true": use runtimeConfig`},
		{[]string{"--etcd-servers=http://x"}, `flags: "--etcd-servers=http://x": ` + forStore},
		{[]string{"--bind_address=0.0.0.0"}, `flags: "--bind_address=0.0.0.0": ` + forNetwork},
		{[]string{"--cert-dir"}, `flags: "--cert-dir": ` + forIdentity},
		{[]string{"--oidc-issuer-url=https://x"}, `flags: "--oidc-issuer-url=https://x": ` + forAccess},
		{[]string{"--peer-ca-file=x"}, `flags: "--peer-ca-file=x": ` + forVia},
		{[]string{"--v=2", "x", "-v=2", "--anonymous-auth", "--"},
			`flags: "x": not of the form --name or --name=value; "-v=2": not of the form --name or --name=value; ` +
				`"--anonymous-auth": ` + forAccess + `; "--": not of the form --name or --name=value`},
	} {
		got := ""
		if err := checkFlags(c.flags); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.flags, got, c.want)
		}
	}
}

// No flag that skewsim sets can be set again, but for the one that adds up.
func TestOwnFlagsAreRefused(t *testing.T) {
	own := arguments(&identity{}, servers.Placement{Store: servers.Store{Prefix: "/r"}, Options: servers.Options{
		FeatureGates: map[string]bool{"A": true}, RuntimeConfig: map[string]bool{"a/b": true},
	}}, 1)
	own = slices.DeleteFunc(own, func(f string) bool { return strings.HasPrefix(f, "--disable-admission-plugins=") })
	for _, flag := range own {
		if name, _ := flagName(flag); refused(name) == "" {
			t.Errorf("%s is not refused", flag)
		}
	}
}
