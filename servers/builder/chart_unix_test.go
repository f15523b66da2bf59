//go:build unix

package builder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

const chartDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: v1
kind: Service
metadata: {name: widgets}
`

// TestChart: a folder that is a Helm chart is rendered by the user's helm, which sees neither the user's plug-ins nor a cluster;
// the same folder without Chart.yaml is read as it is.
func TestChart(t *testing.T) {
	tools, chart := t.TempDir(), t.TempDir()
	write := func(file, text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o700)) }
	write(filepath.Join(chart, chartFile), "apiVersion: v2\nname: widgets\nversion: 0.1.0\n")
	write(filepath.Join(chart, "values.yaml"), "install: true\n")
	t.Setenv("PATH", tools)
	t.Setenv("KUBECONFIG", "/nowhere")
	ref := servers.Reference{Scheme: servers.SchemeManifests, Path: chart}
	_, err := Files{}.Manifests(t.Context(), ref)
	require.ErrorContains(t, err, chart+": is a Helm chart: helm is not in PATH")

	write(filepath.Join(tools, "helm"), "#!/bin/sh\n[ ! -e \"$KUBECONFIG\" ] && [ \"$KUBECONFIG\" != /nowhere ] && [ -n \"$HELM_PLUGINS\" ] && [ \"$*\" = \"template skewsim "+chart+" --include-crds --no-hooks\" ] || exit 9\n/bin/cat <<'END'\n"+chartDefinition+"END\n")
	set, err := Files{}.Manifests(t.Context(), ref)
	require.NoError(t, err)
	require.Len(t, set.Definitions, 1)
	assert.Equal(t, "widgets.example.dev", set.Definitions[0].Name)
	assert.True(t, set.Rendered)

	for script, want := range map[string]string{
		"echo 'WARNING: old' >&2; echo 'Error: no values' >&2; exit 1": "helm template: exit status 1: Error: no values",
		"exit 1":           "helm template: exit status 1",
		"echo 'a: [b'":     "what helm template " + chart + " --include-crds prints:",
		"echo 'kind: Job'": "prints: contains no CustomResourceDefinition: only 1: Job; if the chart's own values leave",
		"yes '# comment'":  "helm template prints more than 16 MiB",
	} {
		write(filepath.Join(tools, "helm"), "#!/bin/sh\nPATH=/usr/bin:/bin\n"+script+"\n")
		_, err = Files{}.Manifests(t.Context(), ref)
		require.ErrorContains(t, err, want)
		assert.NotRegexp(t, ": $", err.Error())
		assert.NotContains(t, err.Error(), "WARNING")
	}

	require.NoError(t, os.Remove(filepath.Join(chart, chartFile)))
	write(filepath.Join(chart, "values.yaml"), chartDefinition)
	set, err = Files{}.Manifests(t.Context(), ref)
	require.NoError(t, err)
	assert.Len(t, set.Definitions, 1)
	assert.False(t, set.Rendered)
}

// TestChartOfFile: a chart that a scenario's file names is rendered only with leave, and once for each folder; a link that leads out of it is
// refused, and one within it is not.
func TestChartOfFile(t *testing.T) {
	tools, within := t.TempDir(), t.TempDir()
	chart := filepath.Join(within, "chart")
	require.NoError(t, os.Mkdir(chart, 0o700))
	write := func(file, text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o700)) }
	write(filepath.Join(chart, chartFile), "apiVersion: v2\nname: widgets\nversion: 0.1.0\n")
	write(filepath.Join(tools, "helm"), "#!/bin/sh\necho x >>"+filepath.Join(tools, "calls")+"\n/bin/cat <<'END'\n"+chartDefinition+"END\n")
	t.Setenv("PATH", tools)
	ref := servers.Reference{Scheme: servers.SchemeManifests, Path: "chart", Manifests: servers.Manifests{Within: within}}
	require.True(t, NamesChart(t.Context(), ref))
	for _, f := range []Files{{}, New(Config{}).Files} {
		_, err := f.Manifests(t.Context(), ref)
		refused := (*ChartError)(nil)
		require.ErrorAs(t, err, &refused)
		assert.ErrorContains(t, err, "allow-programs")
		require.NoFileExists(t, filepath.Join(tools, "calls"))
	}
	allowed := New(Config{AllowCharts: true}).Files
	require.NoError(t, os.Symlink(chartFile, filepath.Join(chart, "link")))
	for range 2 {
		set, err := allowed.Manifests(t.Context(), ref)
		require.NoError(t, err)
		assert.Len(t, set.Definitions, 1)
	}
	calls, err := os.ReadFile(filepath.Join(tools, "calls"))
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(calls))
	require.NoError(t, os.Symlink(tools, filepath.Join(chart, "out")))
	_, err = allowed.Manifests(t.Context(), ref)
	assert.ErrorContains(t, err, "chart: is a Helm chart: out: a symbolic link that leads out of the chart")
}
