package kubeapiserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// What a kube-apiserver needs besides the flags of all servers, so that a change
// to it is seen and meant.
func TestFlags(t *testing.T) {
	got := flags(servers.Build{}, &apiserver.Identity{ServiceAccountKey: "D/sa.key"})
	want := []string{
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/16,fd00:10:96::/112",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=D/sa.key",
		"--service-account-signing-key-file=D/sa.key",
		"--authorization-mode=AlwaysAllow", "--disable-admission-plugins=ServiceAccount",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestServiceIPRange covers the range of the release's options, which replaces skewsim's own.
func TestServiceIPRange(t *testing.T) {
	for given, want := range map[string]string{"": "10.0.0.0/16,fd00:10:96::/112", "10.96.0.0/12": "10.96.0.0/12"} {
		var got []string
		at := servers.Placement{Options: servers.Options{ServiceIPRange: given}}
		for _, flag := range Component().Arguments(servers.Build{}, &apiserver.Identity{}, at, 1, nil) {
			if value, is := strings.CutPrefix(flag, "--service-cluster-ip-range="); is {
				got = append(got, value)
			}
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%q: %s", given, diff)
		}
	}
}

func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, ""},
		{[]string{"--v=2", "--watch-cache=false", "--disable-admission-plugins=Priority"}, ""},
		{[]string{"--etcd-servers=http://x"}, `flags: "--etcd-servers=http://x": ` + apiserver.ForStore},
		{[]string{"--advertise_address=0.0.0.0"}, `flags: "--advertise_address=0.0.0.0": ` + apiserver.ForNetwork},
		{[]string{"--service-account-issuer"}, `flags: "--service-account-issuer": ` + apiserver.ForIdentity},
		{[]string{"--enable-bootstrap-token-auth"}, `flags: "--enable-bootstrap-token-auth": ` + apiserver.ForAccess},
		{[]string{"--peer-ca-file=x"}, `flags: "--peer-ca-file=x": ` + forVia},
	} {
		got := ""
		if err := Component().CheckFlags(c.flags); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.flags, got, c.want)
		}
	}
}

// No flag that skewsim sets can be set again, but for the one that adds up.
func TestOwnFlagsAreRefused(t *testing.T) {
	for _, flag := range flags(servers.Build{}, &apiserver.Identity{}) {
		if err := Component().CheckFlags([]string{flag}); err == nil && !strings.HasPrefix(flag, "--disable-admission-plugins=") {
			t.Errorf("%s is not refused", flag)
		}
	}
}

// The gate whose first server takes something over is asked of the runtime, by build.
func TestTakesOver(t *testing.T) {
	r, err := apiserver.New(apiserver.Config{Components: []apiserver.Component{Component(), {Name: "other"}}, Dir: t.TempDir(), LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for of, want := range map[string]string{component: "MultiCIDRServiceAllocator", "other": "", "unknown": ""} {
		if got := r.TakesOver(servers.Build{Component: of}); got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
}
