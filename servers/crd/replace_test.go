package crd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReplace: what no server takes over the definitions that it has, and what it does.
func TestReplace(t *testing.T) {
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(plain) }
	renamed := []string{"widgets", "widgetz"}
	for name, c := range map[string]struct{ file, want string }{
		"the same":      {plain, ""},
		"another scope": {edit("Namespaced", "Cluster"), "new/a.yaml:7: spec.scope: Cluster, and Namespaced in old/a.yaml:7: servers never change it in an existing definition: keep it"},
		"another kind":  {edit("kind: Widget", "kind: Gear"), "new/a.yaml:8: spec.names.kind: Gear, and Widget in old/a.yaml:8: servers never change it in an existing definition: keep it"},
		"another plural": {edit(renamed...), "new/a.yaml:8: spec.names.kind: Widget is the kind of widgets.example.dev in old/a.yaml:8, which stays when widgetz.example.dev is installed, " +
			"and no server serves both: keep the definition's name, or name another kind"},
		"another definition":       {edit("widget", "gear", "Widget", "Gear"), ""},
		"a kind of another group":  {edit("example.dev", "example.org"), ""},
		"another singular":         {edit("singular: widget", "singular: gear"), ""},
		"another version, a field": {edit("- name: v1", "- name: v2", "size", "length"), ""},
	} {
		old, err := Read("old", folder("a.yaml", plain))
		require.NoError(t, err, name)
		new, err := Read("new", folder("a.yaml", c.file))
		require.NoError(t, err, name)
		if err := Replace(old, new); c.want == "" {
			assert.NoError(t, err, name)
		} else {
			assert.EqualError(t, err, c.want, name)
		}
	}
}
