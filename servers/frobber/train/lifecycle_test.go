package train_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/component-base/featuregate"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// stage is how far a field has come, as a release publishes it.
type stage struct{ status, since, gate string }

// lifecycles are the fields of a release that are not stable, by version and name.
func lifecycles(t testing.TB, r *release.Release) map[string]stage {
	t.Helper()
	all := map[string]stage{}
	for _, v := range r.Versions {
		for _, d := range object.Definitions(func(string) spec.Ref { return spec.Ref{} }, v.New()) {
			for name, property := range d.Schema.Properties {
				said, marked := property.Extensions["x-kubernetes-api-lifecycle"].(map[string]any)
				if !marked {
					continue
				}
				says, ok := said["frobber-apiserver"].(map[string]any)
				require.True(t, ok && len(said) == 1, "%s %s", r, name)
				gate, _ := says["featureGate"].(string)
				all[v.Name+"."+name] = stage{says["status"].(string), says["minVersion"].(string), gate}
			}
		}
	}
	return all
}

// everywhere is a field's stage in these versions.
func everywhere(field string, s stage, versions ...string) map[string]stage {
	all := map[string]stage{}
	for _, v := range versions {
		all[v+"."+field] = s
	}
	return all
}

// TestLifecycles: which fields are not stable, from release to release.
func TestLifecycles(t *testing.T) {
	alpha, beta := stage{"alpha", "v1.2", "Frobber2D"}, stage{"beta", "v1.18", "Frobber2D"}
	for _, c := range []struct {
		from, to int
		want     map[string]stage
	}{
		{0, 1, map[string]stage{}},
		{2, 2, everywhere("angle", alpha, "v5", "v6")},
		{3, 17, everywhere("angle", alpha, "v5", "v6", "v7beta1")},
		{18, 18, everywhere("angle", beta, "v5", "v6", "v7beta1")},
		{19, 19, map[string]stage{}},
		{20, 20, everywhere("glow", stage{"alpha", "v1.20", "FrobberGlow"}, "v5", "v6", "v7beta1")},
		{21, 24, map[string]stage{}},
		{25, 25, everywhere("alphaSpin", stage{"alpha", "v1.25", ""}, "v5", "v6", "v7beta1")},
		{26, 26, everywhere("alphaSpin", stage{"deprecated", "v1.26", ""}, "v5", "v6", "v7beta1")},
		{27, 27, map[string]stage{}},
		{28, 30, everywhere("tilt", stage{"alpha", "v1.28", ""}, "v7alpha1")},
	} {
		for n := c.from; n <= c.to; n++ {
			assert.Equal(t, c.want, lifecycles(t, find(t, fmt.Sprintf("1.%d", n))), "1.%d", n)
		}
	}
}

// stageProblems lists where a field's stage is not that of its gate: the two are
// said in two places, the tag and the edit.
func stageProblems(t *testing.T, r *release.Release) (problems []string) {
	t.Helper()
	stages := lifecycles(t, r)
	for _, name := range slices.Sorted(maps.Keys(stages)) {
		s := stages[name]
		gate, known := r.Gates[featuregate.Feature(s.gate)]
		want := map[string]string{"ALPHA": "alpha", "BETA": "beta", "DEPRECATED": "deprecated"}[string(gate.PreRelease)]
		if s.gate != "" && (!known || s.status != want) {
			problems = append(problems, fmt.Sprintf("%s: %s: is %s, and its gate %s is %q", r, name, s.status, s.gate, want))
		}
	}
	return problems
}

func TestStagesOfGates(t *testing.T) {
	for _, r := range append(right(t), wrong(t)...) {
		assert.Empty(t, stageProblems(t, r))
	}
	late := find(t, "1.2")
	late.Gates["Frobber2D"] = featuregate.FeatureSpec{PreRelease: featuregate.Beta}
	assert.Equal(t, []string{
		`1.2: v5.angle: is alpha, and its gate Frobber2D is "beta"`, `1.2: v6.angle: is alpha, and its gate Frobber2D is "beta"`,
	}, stageProblems(t, late))
}
