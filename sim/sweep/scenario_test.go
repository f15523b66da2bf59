package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
)

const frobberVersion = "frobbing.example.com/v6"

// comparison is of two releases that differ in one of each kind of difference that needs
// another object.
func comparison() diff.Result {
	at := func(path string) []diff.Place {
		return []diff.Place{{APIVersion: frobberVersion, Kind: "Frobber", Path: path}}
	}
	field := func(k term.DifferenceKind, path string) diff.Difference {
		return diff.Difference{Difference: k, Group: "frobbing.example.com", Version: "v6", Kind: "Frobber", Type: "FrobberSpec", Path: path, Places: at(path), Playable: true}
	}
	status := field(term.FieldAdded, ".status.mass")
	status.Type = "FrobberStatus"
	gate := diff.Gate{Name: "Glow", Old: &diff.GateState{Stage: "ALPHA"}, New: &diff.GateState{Stage: "BETA", Default: true}}
	return diff.Result{Differences: []diff.Difference{
		field(term.FieldAdded, ".spec.width"), field(term.FieldRemoved, ".spec.depth"), field(term.DefaultChanged, ".spec.colour"), status,
		{Difference: term.GateChanged, Name: "Glow", Gates: []diff.Gate{gate}, Places: at(".spec.glow"), Playable: true},
		{Difference: term.KindAdded, Group: "frobbing.example.com", Version: "v6", Kind: "Cog", Playable: true},
		{Difference: term.ColumnsChanged, Group: "frobbing.example.com", Version: "v6", Kind: "Frobber"},
	}}
}

// madeObjects answer targets as package try does.
func madeObjects(targets []Target) (all []Object) {
	for _, t := range targets {
		spec := map[string]any{"param": "Super", "height": int64(3)}
		s := try.Specimen{Target: t.Target, Origin: term.OriginGenerated, Held: t.Path}
		s.Object = map[string]any{"apiVersion": t.APIVersion, "kind": t.Kind, "spec": spec}
		switch t.Path {
		case ".spec.width", ".spec.depth", ".spec.glow":
			spec[t.Path[len(".spec."):]] = int64(5)
		case ".spec":
			spec["colour"], spec["glow"] = "red", true
		case ".status.mass":
			s.Object["status"], s.Subresource = map[string]any{"mass": int64(7)}, term.StatusPart
		}
		all = append(all, Object{Target: t, Specimen: s})
	}
	return all
}

func settings(component string) Settings {
	return Settings{Name: "sweep-default", About: "A sweep of two releases.", Releases: scenarios.Releases{Of: component}}
}

// TestScenarios: the generated scenario, with a mixed control plane and with one definition at a
// time, is the file that is kept, and has no more copies than a sweep has time for.
func TestScenarios(t *testing.T) {
	rows := differences(comparison(), Scope{})
	for component, golden := range map[string]string{"frobber": "mixed.yaml", scenarios.ManifestComponent: "one-definition.yaml"} {
		all, err := Scenarios(madeObjects(Targets(rows, term.DefaultLap, Options{})), settings(component))
		require.NoError(t, err)
		require.Len(t, all, 1)
		checkGolden(t, golden, all[0].Files[all[0].File])
		for name, body := range all[0].Files {
			if name != all[0].File {
				var object map[string]any
				require.NoError(t, yaml.Unmarshal(body, &object), name)
				assert.Equal(t, frobberVersion, object["apiVersion"], name)
				assert.NotContains(t, object, "status", "only /status writes it: "+name)
			}
		}
	}
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run the test with -update if the change is meant")
}
