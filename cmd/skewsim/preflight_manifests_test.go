package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestKubernetesPreflightManifests: manifests that every cluster takes have no finding, and nothing of them is
// broken already, on the way up and on the way back alone.
func TestKubernetesPreflightManifests(t *testing.T) {
	old, new := neighbours.Pair(t)
	for name, flags := range map[string][]string{
		"upgrade":  {"--from", old.Reference, "--to", new.Reference},
		"rollback": {"--rollback", "--from", new.Reference, "--to", old.Reference},
	} {
		t.Run(name, func(t *testing.T) {
			r := playManifests(t, ExitExpected, "clean", flags...)
			for _, h := range r.Hops {
				for _, f := range append(h.Findings, h.Baseline...) {
					t.Errorf("a false alarm: %+v", f)
				}
			}
			assert.Equal(t, 18, r.Source.Objects, "%v", r.Source.Skipped)
			assert.Equal(t, 2, r.Source.NotTaken, "what is stored in another version, and a request")
			assert.Len(t, r.Source.Removed, 2)
			assert.Len(t, r.Source.Skipped, 3, "%v", r.Source.Skipped)
		})
	}
}

// TestNightlyPreflightBadManifests: what the older release refuses is not taken, and no finding; what the newer
// one freezes is found. A server whose flags forbid privileged Pods refuses these too.
func TestNightlyPreflightBadManifests(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	available(t, "kube-apiserver@v1.35.4..v1.36.3")
	flags := filepath.Join(t.TempDir(), "flags")
	require.NoError(t, os.WriteFile(flags, []byte("--allow-privileged=false\n"), 0o600))
	r := playManifests(t, ExitDiffers, "", "--from", "v1.35", "--to", "v1.36", "--server-flags", flags)
	require.Len(t, r.Hops, 1)
	assert.Equal(t, []string{"frozen up Deployment .spec.template.spec.hostAliases[].ip"}, foundIn(r.Hops[0]))
	assert.Empty(t, r.Hops[0].Baseline)
	all := strings.Join(r.Source.Skipped, "\n")
	for _, what := range []string{"Deployment.apps shop/mistyped: ", "Deployment.apps shop/unselected: ", "apps/v1beta2 Deployment: ", "fields of Deployment.apps shop/dropped: ", "DaemonSet.apps default/agent: "} {
		assert.Contains(t, all, what)
	}
	assert.Equal(t, 6, r.Source.NotTaken, all)
}

// playManifests plays a folder of manifests of the tests, or one below it.
func playManifests(t *testing.T, exit int, folder string, flags ...string) preflight.Result {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	o := newReal(t).run(append([]string{"preflight", filepath.Join("testdata", "manifests", folder), "--out", out}, flags...)...)
	o.want(t, exit)
	wantNoValue(t, out)
	assert.NoDirExists(t, filepath.Join(out, "logs"), "no server was kept from starting")
	return readPreflight(t, out)
}

// TestKubernetesPreflightAdmissionConfig: servers of the copy have the configuration of admission plug-ins, without
// those that call others. A Pod that it refuses is not taken; one beside it is.
func TestKubernetesPreflightAdmissionConfig(t *testing.T) {
	old, new := neighbours.Pair(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
		return at
	}
	pods := write("pods.yaml", `apiVersion: v1
kind: Pod
metadata: {name: agent}
spec: {hostNetwork: true, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: c, image: i}]}
`)
	flags := write("flags", "--admission-control-config-file=/etc/kubernetes/admission.yaml\n")
	config := write("admission.yaml", `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- {name: PodSecurity, path: levels.yaml}
- {name: ImagePolicyWebhook, configuration: {imagePolicy: {kubeConfigFile: /etc/kubernetes/image.conf}}}
`)
	write("levels.yaml", "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\ndefaults: {enforce: baseline}\n")
	out := filepath.Join(t.TempDir(), "out")
	r := newReal(t)
	r.run("preflight", pods, "--from", old.Reference, "--to", new.Reference, "--out", out, "--server-flags", flags, "--admission-config", config)
	source := readPreflight(t, out).Source
	assert.Equal(t, 1, source.Objects, "%v", source.Skipped)
	refused := strings.Join(source.Skipped, "\n")
	assert.Contains(t, refused, "agent")
	assert.Contains(t, refused, "PodSecurity")
	assert.NotContains(t, refused, "web")
	assert.Equal(t, []string{"--admission-control-config-file=admission.yaml"}, source.FlagsTaken)
	assert.Contains(t, strings.Join(source.FlagsLeft, "\n"), "ImagePolicyWebhook")
}
