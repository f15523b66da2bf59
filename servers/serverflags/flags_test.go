package serverflags_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/serverflags"
)

// write returns a file with the text.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flags")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestTake reads files as users have them, and takes their flags over.
func TestTake(t *testing.T) {
	for file, c := range map[string]struct {
		format serverflags.Format
		want   servers.Options
	}{
		"kubeadm.yaml": {serverflags.StaticPod, servers.Options{
			FeatureGates:   map[string]bool{"MutatingAdmissionPolicy": true, "GangScheduling": true, "WatchList": false},
			RuntimeConfig:  map[string]bool{"api/alpha": false, "resource.k8s.io/v1beta2": true},
			ServiceIPRange: "10.96.0.0/12",
			Flags: []string{
				"--allow-privileged=true", "--default-not-ready-toleration-seconds=60", "--enable-admission-plugins=NodeRestriction,PodNodeSelector",
				"--disable-admission-plugins=DefaultStorageClass", "--service-node-port-range=30000-32000",
			},
		}},
		"flags.conf": {serverflags.FlagsFile, servers.Options{
			FeatureGates: map[string]bool{"WatchList": false},
			Flags:        []string{"--allow-privileged=true", "--storage-media-type=application/json", "--event-ttl=2h"},
		}},
		"apiserver.service": {serverflags.FlagsFile, servers.Options{
			RuntimeConfig: map[string]bool{"api/all": true}, ServiceIPRange: "10.32.0.0/24", Flags: []string{"--allow-privileged=true"},
		}},
		"apiserver.env": {serverflags.FlagsFile, servers.Options{
			ServiceIPRange: "10.254.0.0/16", Flags: []string{"--enable-admission-plugins=NodeRestriction,LimitRanger"},
		}},
		"k3s.yaml": {serverflags.K3s, servers.Options{
			FeatureGates: map[string]bool{"WatchList": false}, RuntimeConfig: map[string]bool{"batch/v1": true}, ServiceIPRange: "10.43.0.0/16",
			Flags: []string{"--default-unreachable-toleration-seconds=30"},
		}},
	} {
		flags, err := serverflags.Read(filepath.Join("testdata", file))
		require.NoError(t, err, file)
		options, account := flags.Take(nil)
		assert.Equal(t, c.format, flags.Format, file)
		assert.Equal(t, c.want, options, file)
		assert.Empty(t, account.NotUnderstood, file)
		assert.NoError(t, kubeapiserver.Component().CheckFlags(options.Flags), file)
		// No value that may be a secret is in anything that is shown.
		text, err := json.Marshal(account)
		require.NoError(t, err)
		assert.NotContains(t, fmt.Sprintf("%+v %s", flags, text), "hidden", file)
	}
}

// TestAccount covers every flag of a manifest, with the reason where it is not taken over.
func TestAccount(t *testing.T) {
	flags, err := serverflags.Read("testdata/kubeadm.yaml")
	require.NoError(t, err)
	_, account := flags.Take(nil)
	listed := map[string]bool{}
	for _, f := range account.Taken {
		assert.Empty(t, f.Why, f)
		listed[f.Name] = true
	}
	forced := map[string]bool{}
	for _, f := range account.NotTaken {
		assert.NotEmpty(t, f.Why, f)
		listed[f.Name], forced[f.String()] = true, f.Forced
	}
	require.Len(t, account.Unknown, 1)
	assert.Equal(t, "--made-up-flag", account.Unknown[0].String())
	listed["made-up-flag"] = true
	assert.Len(t, listed, len(flags.Names()))
	for flag, is := range map[string]bool{
		"--etcd-servers": true, "--tls-cert-file": true, "--oidc-client-id": true, "--authorization-mode": true, "--audit-log-path": true, "--secure-port": true,
		"--encryption-provider-config": true, "--enable-admission-plugins=ServiceAccount": true, "--max-requests-inflight": false, "--feature-gates=wardle:Banana=true": false,
	} {
		got, has := forced[flag]
		assert.True(t, has, flag)
		assert.Equal(t, is, got, flag)
	}
}

// pod returns a manifest with one container.
func pod(command, args string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    image: i\n    command: " + command + "\n    args: " + args + "\n"
}

// TestCommandLines covers manifests that differ in little.
func TestCommandLines(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"args":            {pod("[/usr/bin/kube-apiserver]", "[--event-ttl=3h]"), "--event-ttl=3h"},
		"separate value":  {pod("[kube-apiserver]", "[--event-ttl, 3h]"), "--event-ttl=3h"},
		"underscores":     {pod("[kube-apiserver]", "[--event_ttl=3h]"), "--event-ttl=3h"},
		"runner":          {pod("[/go-runner, --event-ttl=1h, /usr/local/bin/kube-apiserver]", "[--event-ttl=3h]"), "--event-ttl=3h"},
		"last value":      {pod("[kube-apiserver, --event-ttl=1h]", "[--event-ttl=3h]"), "--event-ttl=3h"},
		"no command":      {strings.Replace(strings.Replace(pod("[]", "[--event-ttl=3h]"), "image: i", "image: registry.k8s.io/kube-apiserver:v1.36.3", 1), "command: []", "", 1), "--event-ttl=3h"},
		"template":        {"kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, command: [kube-apiserver, --event-ttl=3h]}\n", "--event-ttl=3h"},
		"second document": {"kind: ConfigMap\n---\n" + pod("[kube-apiserver]", "[--event-ttl=3h]"), "--event-ttl=3h"},
		"JSON":            {`{"kind": "Pod", "spec": {"containers": [{"name": "c", "command": ["kube-apiserver", "--event-ttl=3h"]}]}}`, "--event-ttl=3h"},
		"variable":        {pod("[kube-apiserver]", "[--event-ttl=$(TTL)]"), ""},
		"not a duration":  {pod("[kube-apiserver]", "[--event-ttl=long]"), ""},
		"k3s, one string": {"kube-apiserver-arg: event-ttl=3h\n", "--event-ttl=3h"},
		"k3s, appended":   {"kube-apiserver-arg+: [event-ttl=3h]\n", "--event-ttl=3h"},
		"Environment":     {"Environment=\"ARGS=--event-ttl=3h --v=2\"\n", "--event-ttl=3h"},
		"one line":        {"/usr/bin/kube-apiserver --v 2 --event-ttl 3h\n", "--event-ttl=3h"},
		"a comment":       {"#--event-ttl=1h\n--event-ttl=3h # --event-ttl=4h\n", "--event-ttl=3h"},
	} {
		flags, err := serverflags.Read(write(t, c.text))
		require.NoError(t, err, name)
		options, account := flags.Take(nil)
		assert.Equal(t, c.want, strings.Join(options.Flags, " "), name)
		assert.Empty(t, account.NotUnderstood, name)
	}
}

// TestErrors covers files without flags. No error quotes the file.
func TestErrors(t *testing.T) {
	shell := pod(`[/bin/sh, -ec]`, `["exec kube-apiserver --token-auth-file=hidden"]`)
	for name, c := range map[string]struct{ text, want string }{
		"empty":         {"", "contains no flags of kube-apiserver; want a static-pod manifest"},
		"comments":      {"# --v=2\n", "contains no flags of kube-apiserver"},
		"prose":         {"hidden words\n", "no flag of kube-apiserver was understood: line 1: 2 words that are not flags"},
		"other Pod":     {pod("[kube-scheduler]", "[--v=2]"), "no container runs kube-apiserver, and there is no kube-apiserver-arg (it contains: Pod p)"},
		"no flags":      {pod("[kube-apiserver]", "[]"), "contains no flags of kube-apiserver"},
		"shell":         {shell, "container c: a shell (-c) runs kube-apiserver; write its flags as a list"},
		"two":           {pod("[kube-apiserver]", "[--v=2]") + "---\n" + pod("[kube-apiserver]", "[--v=3]"), "contains flags of 2 kube-apiservers; want one"},
		"kubeadm":       {"kind: ClusterConfiguration\napiServer: {extraArgs: {v: hidden}}\n", "ClusterConfiguration of kubeadm contains only some of the flags"},
		"invalid YAML":  {"kind: Pod\nspec:\n\tcontainers: [hidden\n", "is not valid YAML: yaml: line 3"},
		"wrong types":   {"kind: Pod\nspec: {containers: hidden}\n", "fields do not have the types"},
		"binary":        {"--v=2\x00", "is not a text file"},
		"no such quote": {"ARGS=\"--v=2 hidden\n", "line 1: a quote is not closed"},
	} {
		_, err := serverflags.Read(write(t, c.text))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), c.want, name)
		assert.NotContains(t, err.Error(), "hidden", name)
		var file *serverflags.FileError
		assert.ErrorAs(t, err, &file, name)
	}
	_, err := serverflags.Read(filepath.Join(t.TempDir(), "none.yaml"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = serverflags.Read(t.TempDir())
	assert.ErrorContains(t, err, "is a folder")
}

// TestAdmissionConfig covers copies of the configuration of admission plug-ins.
func TestAdmissionConfig(t *testing.T) {
	const name = "admission-control-config-file"
	flags, err := serverflags.Read(write(t, "--"+name+"=/etc/hidden.yaml\n"))
	require.NoError(t, err)
	const head = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: PodSecurity\n"
	for text, want := range map[string]string{
		head + "  configuration: {kind: PodSecurityConfiguration, defaults: {enforce: baseline}}\n": "",
		head + "  path: pod-security.yaml\n":                    "names another file for the plug-in PodSecurity",
		head + "  configuration: {kubeConfigFile: /etc/k}\n":    "names a kubeconfig for the plug-in PodSecurity",
		head + "  configuration: {a: [{kubeConfigFile: /k}]}\n": "names a kubeconfig for the plug-in PodSecurity",
		"kind: Pod\n": "is not an AdmissionConfiguration",
	} {
		copied := write(t, text)
		options, account := flags.Take(map[string]string{name: copied})
		if want == "" {
			assert.Equal(t, []string{"--" + name + "=" + copied}, options.Flags, text)
			continue
		}
		assert.Empty(t, options.Flags, text)
		require.Len(t, account.NotTaken, 1, text)
		assert.Contains(t, account.NotTaken[0].Why, want, text)
	}
	_, account := flags.Take(nil)
	require.Len(t, account.NotTaken, 1)
	assert.Contains(t, account.NotTaken[0].Why, "give a copy of it")
}

// unknown returns the flags of a help that Take does not know.
func unknown(t *testing.T, help apiserver.Help) (names []string) {
	t.Helper()
	var text strings.Builder
	for _, name := range help.Flags {
		fmt.Fprintf(&text, "--%s=1\n", name)
	}
	flags, err := serverflags.Read(write(t, text.String()))
	require.NoError(t, err)
	_, account := flags.Take(nil)
	for _, f := range account.Unknown {
		names = append(names, f.Name)
	}
	return names
}

// TestLines: every flag of a file is named once, those of one reason together.
func TestLines(t *testing.T) {
	taken, left := serverflags.Account{
		Taken:         []serverflags.Flag{{Name: "feature-gates", Value: "A=true"}},
		NotTaken:      []serverflags.Flag{{Name: "audit-log-path", Why: "no log"}, {Name: "enable-admission-plugins", Value: "B", Why: "it calls"}, {Name: "audit-log-maxage", Why: "no log"}},
		Unknown:       []serverflags.Flag{{Name: "new", Why: "not known"}},
		NotUnderstood: []string{"line 3"},
	}.Lines()
	assert.Equal(t, []string{"--feature-gates=A=true"}, taken)
	assert.Equal(t, []string{"--audit-log-path, --audit-log-maxage: no log", "--enable-admission-plugins=B: it calls", "--new: not known", "not understood: line 3"}, left)
}
