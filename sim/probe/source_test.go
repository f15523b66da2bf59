package probe_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/probe"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// TestDefineUnruled: definitions that a webhook converts are compared without its rules, and what is not
// compared names them; with other definitions, nothing does.
func TestDefineUnruled(t *testing.T) {
	const plain = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced,
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}, CONVERSION
  versions: [VERSIONS{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
	const second = "{name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}, "
	const webhook = "conversion: {strategy: Webhook},"
	for _, c := range []struct {
		conversion, versions string
		want                 int
	}{{"", "", 0}, {webhook, second, 1}, {webhook, "", 0}} { // objects of one version are not converted
		want, dir := c.want, folder(t, map[string]string{"a.yaml": strings.NewReplacer("CONVERSION", c.conversion, "VERSIONS", c.versions).Replace(plain)})
		from := probe.Source{Manifests: builder.Files{}.Manifests}
		ref, err := servers.ParseReference("crd:" + dir)
		require.NoError(t, err)
		r, err := from.Define(t.Context(), ref)
		require.NoError(t, err)
		assert.Len(t, r.Resources, 1+strings.Count(c.versions, "name:"))
		require.Len(t, r.Missing, want)
		if want > 0 {
			assert.Contains(t, r.Missing[0], "widgets.example.dev")
		}
	}
}

// TestGetOfKinds: of definitions, the kinds that are asked for are published alone; all are without names.
func TestGetOfKinds(t *testing.T) {
	const plain = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced,
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
	dir := folder(t, map[string]string{"a.yaml": plain, "b.yaml": strings.ReplaceAll(strings.ReplaceAll(plain, "widget", "gadget"), "Widget", "Gadget")})
	from := probe.Source{Manifests: builder.Files{}.Manifests}
	for kind, want := range map[string]int{"": 2, "Gadget": 1} {
		r, err := from.Get(t.Context(), "crd:"+dir, probe.Options{Kinds: slices.DeleteFunc([]string{kind}, func(k string) bool { return k == "" })})
		require.NoError(t, err)
		assert.Len(t, r.Resources, want, kind)
	}
}
