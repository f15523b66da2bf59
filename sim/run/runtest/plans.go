package runtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	fromfile "github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Small returns a plan with all kinds of steps: two replicas, an upgrade, a rollback and
// another upgrade, one copy of each role.
const Small = `name: small
about: x
objects: {x: {treated: treated.yaml, bystander: bystander.yaml}}
play:
- {create: x, client: new-typed, via: new}
- {touch: x, via: old, at: rolled-back}
- {delete: x, via: new, at: re-upgraded}
`

// SmallPlan returns the plan of a scenario that is given as text, over files of gadgets.
func SmallPlan(t testing.TB, text string) *plan.Plan {
	t.Helper()
	s, err := fromfile.FS(fstest.MapFS{
		"small.yaml":     {Data: []byte(text)},
		"treated.yaml":   {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 1, later: 7}}`)},
		"other.yaml":     {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 1, later: 9}}`)},
		"default.yaml":   {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 3, later: 5}}`)},
		"bystander.yaml": {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 2}}`)},
		"typo.yaml":      {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {sise: 2}}`)},
		"unserved.yaml":  {Data: []byte(`{apiVersion: example.dev/v1, kind: Gizmo}`)},
	}, "small.yaml")
	require.NoError(t, err)
	p, err := plan.Build(s, plan.Pair{Old: "gadgets@v1", New: "gadgets@v2"}, 0)
	require.NoError(t, err)
	return p
}

// Builds returns the builds of both releases.
func Builds() map[term.Role]servers.Build {
	return map[term.Role]servers.Build{
		term.Old: {Reference: "gadgets@v1", Version: "v1", Digest: "d1"},
		term.New: {Reference: "gadgets@v2", Version: "v2", Digest: "d2"},
	}
}

// Writing opens a history in a directory of its own.
func Writing(t testing.TB, p *plan.Plan) (dir string, h *history.Writer) {
	t.Helper()
	dir = t.TempDir()
	h, err := history.Create(dir, history.Header{Plan: *p})
	require.NoError(t, err)
	return dir, h
}

// Written closes a history and reads it back, which must be possible however the run ended.
func Written(t testing.TB, dir string, w *history.Writer) *history.History {
	t.Helper()
	require.NoError(t, w.Close())
	h, err := history.Load(dir)
	require.NoError(t, err)
	require.Empty(t, h.Damage)
	require.NotNil(t, h.End)
	return h
}

// Unfinished ends a history that no run ended, and reads it back.
func Unfinished(t testing.TB, dir string, w *history.Writer) *history.History {
	t.Helper()
	require.NoError(t, w.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	return Written(t, dir, w)
}

// AtOnce is a timer that has expired. No store of the fakes ends by itself, so no test
// waits for that.
func AtOnce() <-chan time.Time {
	over := make(chan time.Time)
	close(over)
	return over
}

// Bounded ends a run that would never end, so that its test fails by name.
func Bounded(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Progress keeps what a run reports.
type Progress struct {
	World *World
	mu    sync.Mutex
	Told  []string
	Notes []string
}

// Stage notes which stage the world is in.
func (p *Progress) Stage(s plan.Stage) {
	p.World.Mu.Lock()
	defer p.World.Mu.Unlock()
	p.World.stage = s.Name
}

// Step keeps the outcome of a step.
func (p *Progress) Step(s plan.Step, outcome string) {
	p.World.happened("step %d", s.Number)
	p.mu.Lock()
	p.Told = append(p.Told, fmt.Sprintf("%d %s", s.Number, outcome))
	p.mu.Unlock()
	if p.World.OnStep != nil {
		p.World.OnStep(s.Number)
	}
}

// Note keeps an event that belongs to no step.
func (p *Progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Notes = append(p.Notes, text)
}

// Numbered returns the number of the first step whose text contains the words.
func Numbered(t testing.TB, p *plan.Plan, words string) int {
	t.Helper()
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if strings.Contains(s.String(), words) {
				return s.Number
			}
		}
	}
	t.Fatalf("no step %q in\n%s", words, p)
	return 0
}

// Ended returns how a run ended, without the digest of the history.
func Ended(h *history.History) *history.End {
	end := *h.End
	end.Digest = ""
	return &end
}
