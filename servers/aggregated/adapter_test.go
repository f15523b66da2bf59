package aggregated

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	got, err := Read("a.yaml", []byte(`# all there is
component: sample-apiserver
package: ./cmd/apiserver/
flags: [--v=2, "--profiling=false"]
names: {etcd-servers: storage.servers, kubeconfig: ""}
globals: wardle
aggregated:
  apiServices: [v1alpha1.wardle.example.com, v1.wardle.example.com]
  behind: kube-apiserver@v1.36.1
`))
	require.NoError(t, err)
	assert.Len(t, got.Digest, 64)
	first := got.Digest
	got.Digest = ""
	assert.Equal(t, Adapter{
		Component: "sample-apiserver", Package: "cmd/apiserver", Flags: []string{"--v=2", "--profiling=false"},
		Names: map[string]string{"etcd-servers": "storage.servers", "kubeconfig": ""}, Globals: "wardle",
		APIServices: []string{"v1alpha1.wardle.example.com", "v1.wardle.example.com"}, Behind: "kube-apiserver@v1.36.1",
	}, got)
	_, err = Read("a.yaml", []byte(`{component: x, names: {bind-address: listen, secure-port: port, cert-dir: cert-dir,
  authentication-kubeconfig: kubeconfig, authorization-kubeconfig: "", kubeconfig: ""}}`))
	require.NoError(t, err, "names of the server's own, each for one flag")
	got, err = Read("a.yaml", []byte("component: x"))
	require.NoError(t, err)
	assert.Equal(t, Adapter{Component: "x", Package: ".", Digest: "9e8a8714eab4da7bdd06a210224b21c00bdd0c952f7ed6eec7456dc8564a0970"}, got)
	assert.NotEqual(t, first, got.Digest)
}

func TestDefault(t *testing.T) {
	for of, want := range map[string]string{
		"k8s.io/sample-apiserver": "sample-apiserver", "example.dev/fish/v2": "fish", "example.dev/fish/v0x": "v0x",
	} {
		assert.Equal(t, Adapter{Component: want, Package: "."}, Default(of), of)
	}
}

// TestReadRefuses: each mistake has its line, the field and a way out.
func TestReadRefuses(t *testing.T) {
	const own = "skewsim sets it: "
	for text, want := range map[string]string{
		"":                                "a.yaml: empty: want at least component, as in component: sample-apiserver",
		"- x":                             "a.yaml:1: a list, want a map such as {component: sample-apiserver}",
		"a: [":                            "a.yaml: not YAML: line 1: did not find expected node content",
		"component: x\n---\ncomponent: y": "a.yaml:2: more than one document: a file holds exactly one",
		"component: &a x":                 `a.yaml:1: anchor "&a": write the value out, aliases are not supported`,
		"package: .":                      "a.yaml:1: component: missing: what the server is called, such as sample-apiserver",
		"component: x\ncomponent: y":      `a.yaml:2: key "component" is given twice, first in line 1`,
		"component: x\ncomponet: y":       `a.yaml:2: unknown key "componet": did you mean "component"?`,
		"component: x\nsails: y":          `a.yaml:2: unknown key "sails" (known: aggregated, component, flags, globals, names, package)`,
		"component: ../x":                 `a.yaml:1: component: "../x": want lower-case letters, digits and "-", a letter first, at most 63`,
		"component: 7":                    "a.yaml:1: component: the number 7, want a string",
		"component: x\npackage: ../y":     `a.yaml:2: package: "../y": want a folder of the module, such as . or cmd/apiserver`,
		"component: x\npackage: /etc":     `a.yaml:2: package: "/etc": want a folder of the module, such as . or cmd/apiserver`,
		"component: x\npackage: ''":       `a.yaml:2: package: "": want a folder of the module, such as . or cmd/apiserver`,
		"component: x\nflags: --v=2":      `a.yaml:2: flags: the string "--v=2", want a list`,
		"component: x\nflags:\n- --v=2\n- --etcd_servers=http://x":                                        `a.yaml:4: flags[1]: "--etcd_servers=http://x": skewsim sets it: all replicas share one store, which it watches from the first revision`,
		"component: x\nflags: [--kubeconfig=x]":                                                           `a.yaml:2: flags[0]: "--kubeconfig=x": ` + own + "each replica has its own kube-apiserver",
		"component: x\nflags: [--authentication-skip-lookup=false]":                                       `a.yaml:2: flags[0]: "--authentication-skip-lookup=false": only the run's own token may get in`,
		"component: x\nflags: [v=2]":                                                                      `a.yaml:2: flags[0]: "v=2": not of the form --name or --name=value`,
		"component: x\nnames: {etcd-server: y}":                                                           `a.yaml:2: names: "etcd-server" is no flag that skewsim gives: did you mean "etcd-servers"?`,
		"component: x\nnames: {bind-address: ''}":                                                         "a.yaml:2: names.bind-address: empty: no server is started without it, which keeps it on the run's store, on loopback and in its identity",
		"component: x\nnames: {bind-address: --listen}":                                                   `a.yaml:2: names.bind-address: "--listen": want a flag's name without dashes before it`,
		"component: x\nnames: {bind-address: audit-log-path}":                                             `a.yaml:2: names.bind-address: "audit-log-path" is another flag of k8s.io/apiserver, which means something else: name the server's own flag, or leave this out`,
		"component: x\nnames: {etcd-servers: external_hostname}":                                          `a.yaml:2: names.etcd-servers: "external_hostname" is another flag of k8s.io/apiserver, which means something else: name the server's own flag, or leave this out`,
		"component: x\nnames: {bind-address: at, secure-port: at}":                                        `a.yaml:2: names: --bind-address and --secure-port are both called "at": name a flag for each, or "" for one that the server has not`,
		"component: x\nnames: {kubeconfig: authentication-kubeconfig}":                                    `a.yaml:2: names: --authentication-kubeconfig and --kubeconfig are both called "authentication-kubeconfig": name a flag for each, or "" for one that the server has not`,
		"component: x\naggregated: yes please":                                                            `a.yaml:2: aggregated: the string "yes please", want a map`,
		"component: x\naggregated:\n  behind: frobber@1.0":                                                `a.yaml:3: aggregated.behind: "frobber@1.0" is not a kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE`,
		"component: x\naggregated:\n  apiServices: [wardle.example.com/v1alpha1]":                         `a.yaml:3: aggregated.apiServices[0]: "wardle.example.com/v1alpha1": want version.group, such as v1alpha1.wardle.example.com`,
		"component: x\naggregated:\n  behinds: y":                                                         `a.yaml:3: aggregated: unknown key "behinds": did you mean "behind"?`,
		"component: " + strings.Repeat("x", 64):                                                           `a.yaml:1: component: "` + strings.Repeat("x", 64) + `": want lower-case letters, digits and "-", a letter first, at most 63`,
		strings.Repeat("#", 64<<10+1):                                                                     "a.yaml: larger than 64 KiB",
		"component: x\nnames: [a]":                                                                        "a.yaml:2: names: a list, want a map of skewsim's flags with the server's, such as {etcd-servers: storage-servers}",
		"component: x\nflags: [--v=2, --listen-on=0.0.0.0, --listen=x]\nnames: {bind-address: listen-on}": `a.yaml:2: flags[1]: "--listen-on=0.0.0.0": ` + "skewsim sets it: servers listen on 127.0.0.1 only",
		"component: x\nglobals: A B\nflags: [\"--bind-address=0.0.0.0\", --cert-dir]": "a.yaml:2: globals: \"A B\": want lower-case letters, digits and \"-\", a letter first, at most 63\n" +
			"a.yaml:3: flags[0]: \"--bind-address=0.0.0.0\": skewsim sets it: servers listen on 127.0.0.1 only\n" +
			"a.yaml:3: flags[1]: \"--cert-dir\": skewsim sets it: the replicas share one identity, made for the run",
	} {
		_, err := Read("a.yaml", []byte(text))
		assert.EqualError(t, err, want, "%.60s", text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("component: x\nnames: {kubeconfig: \"\"}\naggregated: {apiServices: [v1.a.b]}")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Read("a.yaml", []byte(text))
		if err == nil && (a.Component == "" || strings.ContainsAny(a.Component, "/\\.") || strings.HasPrefix(a.Package, "..")) {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
