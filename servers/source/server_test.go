package source_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/source"
)

// checkout unpacks a small checkout of a server, less some of its files.
func checkout(t *testing.T, less ...string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "checkout.txtar"))
	require.NoError(t, err)
	folder := t.TempDir()
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for _, name := range less {
		require.Contains(t, files, name)
		delete(files, name)
	}
	write(t, folder, files)
	return folder
}

// TestGet reads all that a checkout says.
func TestGet(t *testing.T) {
	facts, err := source.Get(t.Context(), t.TempDir(), source.OfCheckout(checkout(t)))
	require.NoError(t, err)
	assert.Empty(t, facts.Missing)
	assert.Equal(t, map[string]source.Gate{
		"Old": {GateState: source.GateState{Stage: "GA", Default: true}, History: []source.GateState{{Stage: "GA", Default: true}}},
		"Base": {
			GateState: source.GateState{Version: "1.36", Stage: "BETA", Default: true},
			History:   []source.GateState{{Version: "1.9", Stage: "ALPHA"}, {Version: "1.36", Stage: "BETA", Default: true}},
		},
		"Extra": {
			GateState: source.GateState{Version: "1.36", Stage: "ALPHA"}, History: []source.GateState{{Version: "1.36", Stage: "ALPHA"}},
			Needs: []string{"Base", "Generic"}, UsedIn: []string{"k8s.io/apiserver/pkg/server", "pkg/registry/paint/brush"},
		},
		"Further": {GateState: source.GateState{Version: "1.36", Stage: "DEPRECATED", Locked: true}, History: []source.GateState{{Version: "1.36", Stage: "DEPRECATED", Locked: true}}, Needs: []string{"Extra"}},
	}, facts.Gates)
	assert.Equal(t, []string{"Base", "Extra", "Generic"}, facts.Needs("Further"))
	assert.Empty(t, facts.Needs("Base"))
	assert.Equal(t, map[string]string{"paint.example.dev/brushes": "v1beta1", "/things": "v1"}, facts.StorageVersions)
	assert.Equal(t, map[string][]string{"paint.example.dev": {"v1", "v1beta1"}}, facts.VersionPriority)
	assert.Equal(t, []string{"First", "Third"}, facts.AdmissionPlugins)
	assert.Equal(t, map[string]string{
		"ClusterRole/painter":            "may get /paint\nmay get,list brushes,tubes of core,paint.example.dev named a",
		"RoleBinding/kube-system/bind":   "role {\"kind\":\"Role\",\"name\":\"painter\"}\nsubject {\"kind\":\"Group\",\"name\":\"g\"}",
		"ClusterRole/painters-of-others": "aggregates {\"clusterRoleSelectors\":[{\"matchLabels\":{\"a\":\"b\"}}]}",
	}, facts.BootstrapRoles)
	assert.Equal(t, map[string]string{"ClusterRole/painter": "may * * of *"}, facts.GatedRoles)
	assert.Equal(t, map[string][]string{
		"paint.example.dev/v1/Brush": {"metadata.name", "spec.colour"},
		"paint.example.dev/v1/Tube":  {"metadata.name", "spec.of"}, "paint.example.dev/v1/Pot": {"metadata.name", "spec.of"},
		"paint.example.dev/v1/Event": {"regarding.kind"},
	}, facts.FieldSelectors)
	assert.Equal(t, source.Protobuf{Number: "1", Wire: "bytes"}, facts.Fields["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"]["name"].Protobuf)
	assert.Equal(t, []string{"Extra"}, facts.Fields["io.k8s.api.paint.v1.Brush"]["colour"].Gates)

	text, err := json.Marshal(facts)
	require.NoError(t, err)
	var again source.Facts
	require.NoError(t, json.Unmarshal(text, &again))
	assert.Equal(t, facts, again)
}

// TestGetWithoutFiles: what a release does not have is listed, and all else is read.
func TestGetWithoutFiles(t *testing.T) {
	folder := checkout(t, "pkg/kubeapiserver/default_storage_factory_builder.go", "test/compatibility_lifecycle/reference/versioned_feature_list.yaml",
		"test/compatibility_lifecycle/reference/unversioned_feature_list.yaml")
	facts, err := source.Get(t.Context(), "", source.OfCheckout(folder))
	require.NoError(t, err)
	missing := map[string]bool{}
	for _, m := range facts.Missing {
		missing[m.What] = true
		assert.NotContains(t, m.Why, folder)
	}
	assert.True(t, missing["storage versions"])
	assert.True(t, missing["feature gates"])
	assert.False(t, missing["bootstrap roles"])
	assert.Empty(t, facts.StorageVersions)
	assert.NotEmpty(t, facts.BootstrapRoles)
}

// TestGetReadsCheckoutsAgain: a checkout may change, so nothing of it is kept.
func TestGetReadsCheckoutsAgain(t *testing.T) {
	folder, kept := checkout(t), t.TempDir()
	of := source.OfCheckout(folder)
	before, err := source.Get(t.Context(), kept, of)
	require.NoError(t, err)
	types := filepath.Join(folder, "staging/src/k8s.io/api/paint/v1/types.go")
	text, err := os.ReadFile(types)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(types, []byte(strings.ReplaceAll(string(text), "=Extra", "=Base")), 0o600))
	after, err := source.Get(t.Context(), kept, of)
	require.NoError(t, err)
	assert.Equal(t, []string{"Extra"}, before.Fields["io.k8s.api.paint.v1.Brush"]["colour"].Gates)
	assert.Equal(t, []string{"Base"}, after.Fields["io.k8s.api.paint.v1.Brush"]["colour"].Gates)
	tags, err := source.GetTags(t.Context(), kept, of)
	require.NoError(t, err)
	assert.JSONEq(t, `{"io.k8s.api.paint.v1.Brush": {"colour": {"gates": ["Base"]}}}`, string(tags))
	left, err := os.ReadDir(kept)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestPublishedReleases reads two releases of Kubernetes, where the module cache has them, and
// counts what is known of them.
func TestPublishedReleases(t *testing.T) {
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	kept := t.TempDir()
	var all []source.Facts
	for _, release := range []string{"v1.36.3", "v1.37.2"} {
		of := source.OfRelease(release, nil)
		for _, m := range append(of.Types, of.Server...) {
			if _, err := os.Stat(filepath.Join(strings.TrimSpace(string(cache)), filepath.FromSlash(m.Path)+"@"+m.Version)); err != nil {
				t.Skipf("the module cache does not have %s %s", m.Path, m.Version)
			}
		}
		facts, err := source.Get(t.Context(), kept, of)
		require.NoError(t, err)
		again, err := source.Get(t.Context(), kept, of)
		require.NoError(t, err)
		assert.Equal(t, facts, again, "what was kept is what was read")
		assert.Empty(t, facts.Missing)
		all = append(all, facts)
	}
	flips := 0
	for name, before := range all[0].Gates {
		if after, has := all[1].Gates[name]; has && after.Default != before.Default {
			flips++
		}
	}
	assert.Equal(t, 18, flips, "defaults that differ from 1.36 to 1.37")
	assert.Equal(t, 595, staged(all[0], "ALPHA"))
	assert.Equal(t, 592, staged(all[1], "BETA"))
	assert.Contains(t, all[1].Gates["MaxUnavailableStatefulSet"].UsedIn, "pkg/registry/apps/statefulset")
	assert.Empty(t, all[1].Gates["MemoryQoS"].UsedIn, "only kubelet uses it")
	assert.Equal(t, []string{"DRADeviceTaints", "DynamicResourceAllocation"}, all[1].Needs("DRADeviceTaintRules"))
}

// TestEnforces: rules without a stage, and of stage BETA where its gate is on, are the ones
// that servers refuse by. Releases before 1.36 have one gate for all of them, and it is off.
func TestEnforces(t *testing.T) {
	plain, alpha, beta := source.Rule{}, source.Rule{Stage: "ALPHA"}, source.Rule{Stage: "BETA"}
	on, off := source.Gate{GateState: source.GateState{Default: true}}, source.Gate{}
	for name, c := range map[string]struct {
		gates                       map[string]source.Gate
		plain, alpha, beta, unknown bool
	}{
		"before 1.36":           {gates: map[string]source.Gate{"DeclarativeValidationTakeover": off}},
		"since 1.36":            {gates: map[string]source.Gate{"DeclarativeValidationTakeover": off, "DeclarativeValidationBeta": on}, plain: true, beta: true},
		"without the beta ones": {gates: map[string]source.Gate{"DeclarativeValidationBeta": off}, plain: true},
		"before both":           {unknown: true},
	} {
		f := source.Facts{Gates: c.gates}
		for rule, want := range map[*source.Rule]bool{&plain: c.plain, &alpha: c.alpha, &beta: c.beta} {
			enforced, known := f.Enforces(*rule)
			assert.Equal(t, want, enforced, "%s: %s", name, rule.Stage)
			assert.Equal(t, !c.unknown, known, name)
		}
	}
}

// staged counts the rules of k8s.io/api that have a stage, each where the source has it.
func staged(f source.Facts, stage string) (count int) {
	for name, fields := range f.Fields {
		for field, of := range fields {
			if !strings.HasPrefix(name, "io.k8s.api.") || isRepeated(f, name, field) {
				continue
			}
			count += stagedOf(of.Rules, stage)
		}
	}
	for name, rules := range f.TypeRules {
		if strings.HasPrefix(name, "io.k8s.api.") {
			count += stagedOf(rules, stage)
		}
	}
	return count
}

// isRepeated reports whether a field is that of an embedded type.
func isRepeated(f source.Facts, name, field string) bool {
	return strings.Contains(f.Fields[name][field].Protobuf.Number, ".")
}

func stagedOf(rules []source.Rule, stage string) (count int) {
	for _, r := range rules {
		if r.Type == "" && r.Stage == stage {
			count++
		}
	}
	return count
}
