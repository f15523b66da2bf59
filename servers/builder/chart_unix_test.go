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

	write(filepath.Join(tools, "helm"), "#!/bin/sh\n[ -z \"$KUBECONFIG\" ] && [ -n \"$HELM_PLUGINS\" ] && [ \"$*\" = \"template skewsim "+chart+" --include-crds --no-hooks\" ] || exit 9\n/bin/cat <<'END'\n"+chartDefinition+"END\n")
	set, err := Files{}.Manifests(t.Context(), ref)
	require.NoError(t, err)
	require.Len(t, set.Definitions, 1)
	assert.Equal(t, "widgets.example.dev", set.Definitions[0].Name)
	assert.True(t, set.Rendered)

	write(filepath.Join(tools, "helm"), "#!/bin/sh\necho 'Error: no values' >&2\nexit 1\n")
	_, err = Files{}.Manifests(t.Context(), ref)
	require.ErrorContains(t, err, "helm template: exit status 1: Error: no values")

	require.NoError(t, os.Remove(filepath.Join(chart, chartFile)))
	write(filepath.Join(chart, "values.yaml"), chartDefinition)
	set, err = Files{}.Manifests(t.Context(), ref)
	require.NoError(t, err)
	assert.Len(t, set.Definitions, 1)
	assert.False(t, set.Rendered)
}
