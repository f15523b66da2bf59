package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// probing runs the small plan with kept probes in the directory, and returns which scratch
// servers that started.
func probing(t *testing.T, dir string) ([]string, *history.History) {
	t.Helper()
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.Probes = dir
	require.NoError(t, Run(runtest.Bounded(t), c))
	var scratch []string
	for _, name := range []string{"scratch-old", "scratch-new"} {
		if len(w.Seen("start "+name)) > 0 {
			scratch = append(scratch, name)
		}
	}
	assert.Equal(t, len(scratch), len(c.Progress.(*runtest.Progress).Notes), "each scratch server has a note")
	return scratch, load(t, c)
}

func TestProbesAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "probes")
	asked, first := probing(t, dir)
	assert.Equal(t, []string{"scratch-old", "scratch-new"}, asked)
	again, second := probing(t, dir)
	assert.Empty(t, again)
	assert.Equal(t, first.Releases, second.Releases, "what was kept says the same")
	assert.Equal(t, map[string]bool{"Later": true}, second.Releases[term.New].Gates)
	assert.Equal(t, []history.Resource{{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true,
		Subresources: []string{"status"}}}, second.Releases[term.New].Resources)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 6, "what each release serves, and what each says of the objects: nothing temporary is left")
}

// TestCorruptProbes are ignored, and replaced.
func TestCorruptProbes(t *testing.T) {
	t.Parallel()
	thisForm := fmt.Sprintf(`"form":%d`, precheck.ProbeForm)
	for name, corrupt := range map[string]func(text string) string{
		"cut":           func(text string) string { return text[:len(text)/2] },
		"empty":         func(string) string { return "" },
		"another form":  func(text string) string { return strings.Replace(text, thisForm, `"form":99`, 1) },
		"no version":    func(string) string { return "{" + thisForm + "}" },
		"not an object": func(string) string { return `[]` },
	} {
		dir := t.TempDir()
		_, want := probing(t, dir)
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		require.Len(t, files, 6)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, []byte(corrupt(string(text))), 0o600))
		}
		asked, got := probing(t, dir)
		assert.Len(t, asked, 2, name)
		assert.Equal(t, want.Releases, got.Releases, name)
		again, _ := probing(t, dir)
		assert.Empty(t, again, name)
	}
}

// TestUnkept: a directory that cannot be written to only costs the next run time.
func TestUnkept(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.Probes = filepath.Join(blocked, "probes")
	require.NoError(t, Run(runtest.Bounded(t), c))
	notes := strings.Join(c.Progress.(*runtest.Progress).Notes, "\n")
	assert.Equal(t, 6, strings.Count(notes, "keep a probe: mkdir "), "what each release serves, and what it says of each object")
}

func TestSchemasAreKept(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), c))
	h := load(t, c)
	for role, version := range map[term.Role]string{term.Old: "v1", term.New: "v2"} {
		want := runtest.OpenAPI(version)
		kept, err := os.ReadFile(filepath.Join(c.Dir, "schemas", h.Releases[role].Schemas["example.dev/v1"]))
		require.NoError(t, err)
		assert.JSONEq(t, string(want), string(kept))
		assert.Equal(t, h.Releases[role].Schemas["example.dev/v1"], history.Digest(kept)+".json")
	}
}

func TestKindError(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, strings.Replace(runtest.Small, "treated: treated.yaml, bystander: bystander.yaml", "treated: unserved.yaml", 1)))
	err := Run(runtest.Bounded(t), c)
	var kind *precheck.KindError
	require.ErrorAs(t, err, &kind)
	assert.EqualError(t, err, `unserved.yaml: kind "Gizmo" of apiVersion "example.dev/v1" is served by neither v1 nor v2: correct it, or switch the version on with runtimeConfig`)
	assert.Empty(t, w.Left(), "the shared store is closed too")
	assert.Empty(t, w.Seen("on store"), "no server is started for nothing")
	assert.Equal(t, history.Failed, load(t, c).End.Outcome)
}

func TestDefaultError(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, strings.Replace(runtest.Small, "treated.yaml", "default.yaml", 1)))
	err := Run(runtest.Bounded(t), c)
	var same *precheck.DefaultError
	require.ErrorAs(t, err, &same)
	assert.EqualError(t, err, "default.yaml: .spec.later: 5 is the field's default, so that a loss of it would look like the value kept: give it another value",
		"size, which the old release has too, may be the default")
	assert.Empty(t, w.Left())
}

// TestBadSchema: the error of an unreadable document names its build.
func TestBadSchema(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	w.Answer = func(place, _, path string) (int, string) {
		if place == "scratch-new" && path == "/openapi/v3/apis/example.dev/v1" {
			return 200, `{}`
		}
		return 0, ""
	}
	assert.EqualError(t, Run(runtest.Bounded(t), c), "gadgets@v2: openapi: the document has no components")
	assert.Empty(t, w.Left())
}

func TestScratchServerDies(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	runtime := scratchDies{w}
	c.Runtime = runtime
	assert.EqualError(t, Run(runtest.Bounded(t), c), "start gadgets@v1 on a scratch store: "+runtest.Exit("scratch-old", false).Error())
	assert.Empty(t, w.Left())
}

// scratchDies is a runtime on which the old release's scratch server dies.
type scratchDies struct{ *runtest.World }

func (s scratchDies) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	if at.Name == "scratch-old" {
		return nil, runtest.Exit(at.Name, false)
	}
	return s.World.Start(ctx, b, at)
}
