package scenarios_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
)

// A group is a list of paths, or a map that says more of them.
func TestGroup(t *testing.T) {
	load := func(related string) (*scenarios.Scenario, error) {
		dir := t.TempDir()
		file := filepath.Join(dir, "s.yaml")
		text := "name: s\nabout: Some.\nobjects: {o: {bystander: o.yaml}}\nplay:\n- {create: o}\nrelated:\n" + related
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "o.yaml"), []byte("{apiVersion: v1, kind: ConfigMap}"), 0o600))
		return load.File(file)
	}
	s, err := load("- [.data.a, .data.b]\n- {paths: [.data.c, .data.d], equal: true}\n- {paths: [.data.e, .data.f]}\n")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{".data.a", ".data.b"}, {".data.c", ".data.d"}, {".data.e", ".data.f"}}, s.RelatedPaths())
	assert.Equal(t, [][]string{{".data.c", ".data.d"}}, s.EqualPaths())

	for related, want := range map[string]string{
		"- {paths: [.data.a, .data.b, .data.a]}\n":      `s.yaml:7: related[0].paths[2]: .data.a is in a group already, at related[0].paths[0]`,
		"- {paths: [.data.a], equal: true}\n":           `s.yaml:7: related[0]: a group has at least two paths, as in [[.spec.param, .spec.params]]`,
		"- {paths: [.data.a, .data.b], equals: true}\n": `s.yaml:7: related[0]: unknown key "equals": did you mean "equal"?`,
		"- .data.a\n": `s.yaml:7: related[0]`,
	} {
		_, err := load(related)
		assert.ErrorContains(t, err, want)
	}
}
