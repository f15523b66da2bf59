package oracletest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// NewSideBySide begins a run of one upgrade, with a on the new release and b on the old.
func NewSideBySide(t *testing.T) *Run {
	run := NewRun(t, term.Upgrade)
	run.Stage("upgrading 1/2", term.New, term.Old)
	return run
}

// NewGateOff begins a run in stage upgrading 1/2. A gate of .spec.lustre and .status.gleam is off
// in the old release, unless on is set; the servers drop nothing.
func NewGateOff(t *testing.T, on bool) *Run {
	run := NewRun(t)
	for _, role := range []term.Role{term.Old, term.New} {
		run.Publish(role, Object{"status.properties.gleam": Gated("Lustre")})
		release := run.History.Releases[role]
		release.Gates = map[string]bool{"Lustre": on || role == term.New}
		run.History.Releases[role] = release
	}
	run.Stage("upgrading 1/2", term.New, term.Old)
	return run
}

// CountGenerations increments the generation with each change of the spec.
func CountGenerations(t *testing.T) Behaviour {
	at := Path(t, ".metadata.generation")
	return Behaviour{Clear: func(now, was Object) {
		if was == nil {
			assert.NoError(t, path.Set(now, at, 1))
			return
		}
		n := Number(t, was, ".metadata.generation")
		before, _ := path.Get(was, Path(t, ".spec"))
		after, _ := path.Get(now, Path(t, ".spec"))
		if !assert.ObjectsAreEqual(before, after) {
			n++
		}
		assert.NoError(t, path.Set(now, at, n))
	}}
}

// NewManifests begins a run of releases that bring the definition of the widget.
func NewManifests(t *testing.T) *Run {
	run := NewRun(t)
	run.NamePlurals()
	for role, release := range run.History.Releases {
		release.Defines = []string{"widgets.example.dev"}
		run.History.Releases[role] = release
	}
	run.Install(term.Old, history.Installed{Code: 200, Stored: []string{"v1"}})
	return run
}

// NewQuiet is a run without a finding.
func NewQuiet(t *testing.T) *Run {
	run := NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Create("untouched-1", `{"colour": "red"}`)
	run.Put("bystander-1", ReadVia("b"), Via("a"))
	run.Observe()
	run.Stage("new", term.New, term.New)
	run.Observe()
	return run
}

// NewMixed begins a run in stage upgrading 1/2: a has the new release and b the old. The next step
// is step 3.
func NewMixed(t testing.TB, journey ...term.Rollout) *Run {
	run := NewRun(t, journey...) // step 1
	run.Stage("upgrading 1/2", term.New, term.Old)
	return run // step 2
}

// NewRolledBack creates a copy on the new release, and ends in stage rolled-back. The next step is
// step 7.
func NewRolledBack(t *testing.T, name string) *Run {
	run := NewMixed(t)
	run.Create(name, ShineSpec) // step 3
	run.Stage("rolling-back 1/2", term.Old, term.New)
	run.Observe()
	run.Stage("rolled-back", term.Old, term.Old)
	return run // step 6
}

// NewRoundTrip takes a copy through an upgrade and a rollback. Its server fills in .spec.notes.by,
// which no client sent.
func NewRoundTrip(t *testing.T, name string, after func(run *Run)) *Run {
	run := NewRun(t)
	run.Create(name, PlainSpec)
	run.Change(name, ".spec.notes.by", "a server")
	run.Observe()
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Stage("new", term.New, term.New)
	run.Observe()
	run.Stage("rolling-back 1/2", term.Old, term.New)
	after(run)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Observe()
	return run
}

// NewControlled begins a run with two control copies. A merge patch of an old-typed client changes
// the first in stage old, as step 4; then the upgrade begins.
func NewControlled(t *testing.T, options ...Option) *Run {
	run := NewRun(t)
	run.Create("control-1", PlainSpec, By(term.OldTyped))
	run.Create("control-2", PlainSpec, By(term.OldTyped), Via("b"))
	run.Patch("control-1", append([]Option{By(term.OldTyped)}, options...)...) // step 4
	run.Stage("upgrading 1/2", term.New, term.Old)
	return run // step 5
}

// Reupgrade upgrades a again.
func (run *Run) Reupgrade() {
	run.Stage("re-upgrading 1/2", term.New, term.Old)
	run.Observe()
}
