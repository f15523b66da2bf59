package plan_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/plan"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// separator stands between a fixture's scenario and its plan.
const separator = "----\n"

const manifest = `{apiVersion: example.dev/v1, kind: Gadget, spec: {size: %s, parts: [{name: p, size: 1}]}}`

// parse reads a scenario from text. Its objects are generated.
func parse(t testing.TB, name, text string) *scenarios.Scenario {
	t.Helper()
	s, err := load.FS(fstest.MapFS{
		name + ".yaml":   {Data: []byte(text)},
		"treated.yaml":   {Data: []byte(strings.ReplaceAll(manifest, "%s", "9007199254740993"))},
		"bystander.yaml": {Data: []byte(strings.ReplaceAll(manifest, "%s", "1"))},
	}, name+".yaml")
	require.NoError(t, err)
	return s
}

var pair = plan.Pair{Old: "kube-apiserver@v1.36.3", New: "kube-apiserver@v1.37.0"}

func build(t testing.TB, s *scenarios.Scenario, seed int64) *plan.Plan {
	t.Helper()
	p, err := plan.Build(s, pair, seed)
	require.NoError(t, err)
	return p
}

// fixtures gives the scenarios of testdata by name, with the plans they hold.
func fixtures(t testing.TB) (scenarioTexts, plans map[string]string) {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	scenarioTexts, plans = map[string]string{}, map[string]string{}
	for _, e := range entries {
		name, isText := strings.CutSuffix(e.Name(), ".txt")
		require.True(t, isText && e.Type().IsRegular(), "testdata/%s: no test uses it", e.Name())
		text, err := os.ReadFile(filepath.Join("testdata", e.Name()))
		require.NoError(t, err)
		scenario, tree, found := strings.Cut(string(text), separator)
		require.True(t, found, "testdata/%s: has no line ----", e.Name())
		scenarioTexts[name], plans[name] = scenario, tree
	}
	require.NotEmpty(t, plans)
	return scenarioTexts, plans
}

func TestPlans(t *testing.T) {
	scenarioTexts, plans := fixtures(t)
	for name, text := range scenarioTexts {
		t.Run(name, func(t *testing.T) {
			got := build(t, parse(t, name, text), 0).String()
			if *update {
				file := filepath.Join("testdata", name+".txt")
				require.NoError(t, os.WriteFile(file, []byte(text+separator+got), 0o644))
				return
			}
			assert.Equal(t, plans[name], got, "go test ./sim/plan -update writes it anew")
		})
	}
}
