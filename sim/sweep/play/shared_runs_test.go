package play

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestRemoveTry: what a try left of its scenarios goes, and nothing else.
func TestRemoveTry(t *testing.T) {
	dir, err := rundir.Open(filepath.Join(t.TempDir(), "sweep"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dir.Close()) })
	put := func(name string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(dir.File(name)), 0o700))
		require.NoError(t, os.WriteFile(dir.File(name), nil, 0o600))
	}
	gone, stays := []string{"default-3/run.jsonl", "scenarios/default-3.yaml", "scenarios/objects/a.yaml"}, []string{"gates/run.jsonl", "scenarios/gates.yaml"}
	for _, name := range append(gone, stays...) {
		put(name)
	}
	g := sweep.Generated{Scenario: &scenarios.Scenario{Name: "default-3"}, Files: map[string][]byte{"default-3.yaml": nil, "objects/a.yaml": nil}}
	require.NoError(t, removeTry(dir, []sweep.Generated{g}))
	for _, name := range gone {
		assert.NoFileExists(t, dir.File(name))
	}
	for _, name := range stays {
		assert.FileExists(t, dir.File(name))
	}
	assert.NoDirExists(t, dir.File("default-3"))
}

// TestWithoutRefused: objects are set aside, and their scenarios played again, for refusals alone. Where a run could not begin for another
// reason too, nothing changes: the others' evidence is what there is.
func TestWithoutRefused(t *testing.T) {
	object := func(id string) sweep.Object {
		return sweep.Object{Target: sweep.Target{Target: try.Target{ID: id}}, Specimen: try.Specimen{Object: map[string]any{"kind": "Gadget"}}}
	}
	refusal := &precheck.ObjectError{Manifest: "objects/a.yaml"}
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"one is refused":                      {errors.Join(nil, refusal), []string{"a"}},
		"one is refused, and a server ended":  {errors.Join(refusal, &servers.ExitError{}), nil},
		"a server ended":                      {errors.Join(&servers.ExitError{}), nil},
		"what is refused is no object of its": {&precheck.ObjectError{Manifest: "objects/c.yaml"}, nil},
		"none":                                {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			given := []sweep.Object{object("a"), object("b")}
			left, changed := withoutRefused(given, nil, c.err)
			assert.Equal(t, c.want, changed)
			assert.Equal(t, c.want == nil, left[0].Specimen.Object != nil)
			assert.NotNil(t, left[1].Specimen.Object)
			assert.Equal(t, object("a"), given[0], "it may be asked before a run begins")
		})
	}
}

// TestOnceBegun: the servers of a lap are there until each of its runs has begun, or ended before. Without a run,
// they end at once.
func TestOnceBegun(t *testing.T) {
	runs := []*sharedRun{{}, {}}
	began := 0
	ended := onceBegun(runs, func() error { assert.Equal(t, 2, began); return assert.AnError })
	for _, r := range runs {
		began++
		r.begun()
		r.begun() // each of its scenarios begins
	}
	assert.Equal(t, assert.AnError, <-ended)
	assert.NoError(t, <-onceBegun(nil, func() error { return nil }))
}
