package apiserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
)

// fake has a flag of its own.
func fake() Component {
	return Component{
		Name: "fake",
		Flags: func(b servers.Build, id *Identity) []string {
			return []string{"--of=" + b.Version, "--of-old=1", "--key=" + id.ServiceAccountKey}
		},
		Refused: func(name string) string {
			if name == "of" {
				return "the build says it"
			}
			return ""
		},
	}
}

// The whole command line, so that a change to it is seen and meant.
func TestArguments(t *testing.T) {
	id := &Identity{Dir: "D", Serving: certs.Pair{CertFile: "D/serving.crt", KeyFile: "D/serving.key"}, ServiceAccountKey: "D/sa.key", TokenFile: "D/tokens"}
	got := fake().Arguments(servers.Build{Version: "v1"}, id, servers.Placement{
		Store: servers.Store{Endpoint: "https://127.0.0.1:1", CAFile: "ca", CertFile: "crt", KeyFile: "key", Prefix: "/r"},
		Options: servers.Options{
			FeatureGates:  map[string]bool{"B": false, "A": true, "C": true},
			RuntimeConfig: map[string]bool{"x/v1": false, "api/all": true},
			Flags:         []string{"--z=1", "--a=2"},
		},
	}, 7, []string{"of-old"})
	want := []string{
		"--of=v1", "--key=D/sa.key",
		"--etcd-servers=https://127.0.0.1:1", "--etcd-cafile=ca", "--etcd-certfile=crt", "--etcd-keyfile=key",
		"--etcd-compaction-interval=0", "--etcd-prefix=/r",
		"--bind-address=127.0.0.1", "--secure-port=7", "--permit-port-sharing=true",
		"--tls-cert-file=D/serving.crt", "--tls-private-key-file=D/serving.key", "--cert-dir=D", "--token-auth-file=D/tokens",
		"--feature-gates=A=true,B=false,C=true", "--runtime-config=api/all=true,x/v1=false",
		"--z=1", "--a=2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An aggregated server: what it needs of it takes the place of what
// all have, nobody gives it tokens, and its adapter names flags, gates and versions.
func TestArgumentsOfAnAggregatedServer(t *testing.T) {
	id := &Identity{Dir: "D", Serving: certs.Pair{CertFile: "crt", KeyFile: "key"}, TokenFile: "D/tokens"}
	c := fake()
	c.Aggregated = true
	b := servers.Build{Version: "v1", Component: "fish", Aggregated: &servers.Aggregation{
		Flags: []string{"--scales=3"}, Globals: "wardle",
		Names: map[string]string{"etcd-servers": "storage", "etcd-compaction-interval": "", "kubeconfig": "core"},
	}}
	got := c.Arguments(b, id, servers.Placement{
		Store: servers.Store{Endpoint: "https://127.0.0.1:1"}, Flags: []string{"--of=other", "--kubeconfig=K"},
		Options: servers.Options{
			FeatureGates: map[string]bool{"A": true, "B": false}, EmulatedVersion: "1.1", MinCompatibilityVersion: "1.0", Flags: []string{"--z"},
		},
	}, 7, nil)
	want := []string{
		"--of-old=1", "--key=",
		"--storage=https://127.0.0.1:1", "--etcd-cafile=", "--etcd-certfile=", "--etcd-keyfile=",
		"--bind-address=127.0.0.1", "--secure-port=7", "--permit-port-sharing=true",
		"--tls-cert-file=crt", "--tls-private-key-file=key", "--cert-dir=D",
		"--of=other", "--core=K", "--scales=3",
		"--feature-gates=wardle:A=true,wardle:B=false", "--emulated-version=wardle=1.1", "--min-compatibility-version=wardle=1.0", "--z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// A flag that keeps it on the run's store is never left out for want of help, however
	// it is called; one of its own may be.
	if diff := cmp.Diff([]string{"--of-old=1", "--key="}, c.mayLack(b, got[:3])); diff != "" {
		t.Error(diff)
	}
}

// Which component starts a build: one of another name, or one that leans on another, is
// not the reference server's.
func TestStarts(t *testing.T) {
	leans := Component{Name: "any", Aggregated: true}
	for _, c := range []struct {
		component Component
		build     servers.Build
		want      bool
	}{
		{fake(), servers.Build{Component: "fake"}, true},
		{fake(), servers.Build{Component: "other"}, false},
		{fake(), servers.Build{Component: "fake", Aggregated: &servers.Aggregation{}}, false},
		{leans, servers.Build{Component: "fish", Aggregated: &servers.Aggregation{}}, true},
		{leans, servers.Build{Component: "any"}, false},
	} {
		if got := c.component.starts(c.build); got != c.want {
			t.Errorf("%s starts %+v: %t", c.component.Name, c.build, got)
		}
	}
}

// TestCheckFlagsOfOtherNames: a flag that skewsim gives under another name comes before the
// options, and the last one counts: so that name is refused as the flag itself is. In
// builds that have no such name it is anybody's.
func TestCheckFlagsOfOtherNames(t *testing.T) {
	b := servers.Build{Aggregated: &servers.Aggregation{Names: map[string]string{
		"etcd-servers": "storage_servers", "bind-address": "listen-on", "tls-cert-file": "",
	}}}
	at := servers.Placement{Name: "a", Options: servers.Options{Flags: []string{"--storage-servers=http://10.0.0.1:2379", "--listen_on=0.0.0.0", "--storage=x", "--etcd-servers=x"}}}
	err := checkPlacement(fake().Of(b), at)
	want := `flags: "--storage-servers=http://10.0.0.1:2379": ` + ForStore + `; "--listen_on=0.0.0.0": ` + ForNetwork + `; "--etcd-servers=x": ` + ForStore
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	at.Options.Flags = at.Options.Flags[:3]
	if err := checkPlacement(fake().Of(servers.Build{}), at); err != nil {
		t.Error(err)
	}
}

func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, ""},
		{[]string{"--v=2", "--watch-cache=false", "--key=mine"}, ""},
		{[]string{"--feature-gates=A=true"}, `flags: "--feature-gates=A=true": use featureGates`},
		{[]string{"--runtime-config=a/b=true"}, `flags: "--runtime-config=a/b=true": use runtimeConfig`},
		{[]string{"--etcd-servers=http://x"}, `flags: "--etcd-servers=http://x": ` + ForStore},
		{[]string{"--bind_address=0.0.0.0"}, `flags: "--bind_address=0.0.0.0": ` + ForNetwork},
		{[]string{"--cert-dir"}, `flags: "--cert-dir": ` + ForIdentity},
		{[]string{"--oidc-issuer-url=https://x"}, `flags: "--oidc-issuer-url=https://x": ` + ForAccess},
		{[]string{"--of=v2"}, `flags: "--of=v2": the build says it`},
		{[]string{"--v=2", "x", "-v=2", "--anonymous-auth", "--"},
			`flags: "x": not of the form --name or --name=value; "-v=2": not of the form --name or --name=value; ` +
				`"--anonymous-auth": ` + ForAccess + `; "--": not of the form --name or --name=value`},
	} {
		got := ""
		if err := fake().CheckFlags(c.flags); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.flags, got, c.want)
		}
	}
}

// No flag that every server is given can be set again.
func TestOwnFlagsAreRefused(t *testing.T) {
	own := fake().Arguments(servers.Build{}, &Identity{}, servers.Placement{Store: servers.Store{Prefix: "/r"}, Options: servers.Options{
		FeatureGates: map[string]bool{"A": true}, RuntimeConfig: map[string]bool{"a/b": true},
	}}, 1, nil)
	for _, flag := range own[3:] {
		if name, _ := flagName(flag); refused(name) == "" {
			t.Errorf("%s is not refused", flag)
		}
	}
}

// A build of something else is not started, whatever its file is.
func TestUnknownComponent(t *testing.T) {
	dir := t.TempDir()
	r, err := New(Config{Components: []Component{fake(), {Name: "other"}}, Dir: dir + "/run", LogDir: dir + "/logs"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Start(t.Context(), servers.Build{Reference: "x@1", Component: "x", Path: "/bin/true"}, servers.Placement{Name: "a"})
	want := `server a (x@1): component "x": not one that can be started (fake, other)`
	if err == nil || err.Error() != want {
		t.Errorf("Start said %v, want %s", err, want)
	}
}
