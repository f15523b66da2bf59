package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// let is when each server got the store, by stage: "old: a-1".
func let(w *runtest.World) (all []string) {
	for _, e := range w.Seen("opened gate") {
		stage, what, _ := strings.Cut(e, ": opened ")
		w.Mu.Lock()
		place := w.Through[what]
		w.Mu.Unlock()
		if !strings.HasPrefix(place, "trial-") { // those have a store of their own
			all = append(all, stage+": "+place)
		}
	}
	slices.Sort(all)
	return all
}

// atTheirStages is the expected let of an upgrade, a rollback and another upgrade.
func atTheirStages() []string {
	return []string{
		"old: a-1", "old: b-1", "re-upgrading 1/2: a-4", "re-upgrading 1/2: b-4",
		"rolling-back 1/2: a-3", "rolling-back 1/2: b-3", "upgrading 1/2: a-2", "upgrading 1/2: b-2",
	}
}

// TestRollOutStartsTogether: the last server of a roll-out starts at its first stage at the
// latest, before the first is ready. Else it would start only after the first one, which
// waits for it.
func TestRollOutStartsTogether(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	begun := map[string]chan struct{}{"b-2": make(chan struct{}), "b-3": make(chan struct{}), "b-4": make(chan struct{})}
	w.OnStart = func(ctx context.Context, place string) error {
		if mine := begun[place]; mine != nil {
			close(mine)
		}
		if other := begun[strings.Replace(place, "a", "b", 1)]; other != nil {
			select {
			case <-other:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	assert.Equal(t, atTheirStages(), let(w), "no release touches the store before its stage begins")
	early := 0
	for _, s := range load(t, c).Servers {
		if s.Event == history.Starting && s.Message != "" {
			early++
			assert.Equal(t, "executed ahead of its stage, and held off the store until that begins", s.Message)
		}
	}
	assert.Equal(t, 6, early, "so short a journey has every server executed ahead of its stage")
}

// TestGivenUp: a server that is held for too long is ended, and another one started when
// the stage begins. Both are recorded as such.
func TestGivenUp(t *testing.T) {
	world := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, world, p)
	world.OnStart = func(ctx context.Context, place string) error {
		if place == "a-2" {
			<-ctx.Done() // as a server does that is not ready
			return ctx.Err()
		}
		return nil
	}
	ctx, cancel := context.WithCancelCause(runtest.Bounded(t))
	defer cancel(nil)
	w := newAlone(ctx, c, cancel)
	w.shared.fleet.HeldWithin = time.Millisecond
	assert.NoError(t, w.shared.play()[0])
	w.shared.close()
	assert.Contains(t, let(world), "upgrading 1/2: a-3")
	assert.NotContains(t, let(world), "upgrading 1/2: a-2")
	assert.Empty(t, world.Left())
	require.NoError(t, c.History.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
	var told []string
	for _, s := range load(t, c).Servers {
		if s.Replica == "a" && s.Step == runtest.Numbered(t, p, "replace a by one at new") {
			told = append(told, string(s.Event)+" "+s.Message)
		}
	}
	assert.Equal(t, []string{
		"starting executed ahead of its stage, and held off the store until that begins", "stopped context canceled",
		"starting ", "ready ready after 1.0s", "serving ", "draining ", "stopped ",
	}, told)
}

// TestRetired: a replaced server ends in the background. Once no replica runs its release,
// it cannot write, and it has ended before its release serves again.
func TestRetired(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, w, p)
	free := make(chan struct{})
	w.OnStop = func(place string) {
		if place == "b-1" {
			<-free // ends only after the next stage began
		}
	}
	begun := runtest.Numbered(t, p, "replace b by one at new")
	w.OnStep = func(n int) {
		if n == begun+1 {
			close(free)
		}
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	events := w.Seen("")
	index := func(text string) int {
		at := slices.IndexFunc(events, func(e string) bool { return strings.HasSuffix(e, text) })
		assert.NotEqual(t, -1, at, text)
		return at
	}
	gates := map[string]string{}
	for gate, place := range w.Through {
		gates[place] = gate
	}
	goesOn := index(fmt.Sprintf("step %d", begun))
	for _, place := range []string{"a-1", "b-1"} {
		assert.Less(t, index("sealed "+gates[place]), goesOn, "%s: its release has left", place)
		assert.Less(t, index("sealed "+gates[place]), index("opened "+gates["a-3"]), "%s: its release is in play again", place)
		assert.Positive(t, index("closed "+gates[place]))
	}
	assert.Greater(t, index("stopped b-1"), goesOn)
	assert.Less(t, index("sealed "+gates["b-2"]), index("opened "+gates["a-4"]))
}

// TestDiesWhileWarm: a server that dies while it waits for its turn ends the run too.
func TestDiesWhileWarm(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, w, p)
	ready := make(chan struct{})
	c.Runtime = readyRuntime{w, func(name string) {
		if name == "b-2" {
			close(ready)
		}
	}}
	var dead *servers.ExitError
	at := runtest.Numbered(t, p, "create x-untouched-001")
	w.OnStep = func(n int) {
		if n == at {
			<-ready
			dead = w.Die("b-2")
			<-w.Context.Done()
		}
	}
	err := Run(runtest.Bounded(t), c)
	assert.Equal(t, error(dead), err)
	assert.Empty(t, w.Left())
	assert.Equal(t, &history.End{Outcome: history.Failed, Message: dead.Error()}, runtest.Ended(load(t, c)))
}

// readyRuntime reports each server that has started.
type readyRuntime struct {
	*runtest.World
	ready func(name string)
}

func (r readyRuntime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	p, err := r.World.Start(ctx, b, at)
	if err == nil {
		r.ready(at.Name)
	}
	return p, err
}

// unreachable is a process with an invalid certificate authority.
type unreachable struct{ servers.Process }

func (unreachable) Endpoint() servers.Endpoint {
	return servers.Endpoint{URL: "https://127.0.0.1:1", CAData: []byte("x")}
}

type unreachableRuntime struct{ *runtest.World }

func (r unreachableRuntime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	p, err := r.World.Start(ctx, b, at)
	if at.Store.Endpoint == "store" {
		p = unreachable{p}
	}
	return p, err
}

// TestUnreachableIsKilled: a server without a usable client is running all the same, and
// must not stay.
func TestUnreachableIsKilled(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.Runtime = unreachableRuntime{w}
	err := Run(runtest.Bounded(t), c)
	assert.EqualError(t, err, "connect to https://127.0.0.1:1: unable to load root certificates: unable to parse bytes as PEM block")
	assert.Empty(t, w.Left())
}

// slowToSay is a runtime whose servers report late how they ended.
type slowToSay struct{ *runtest.World }

func (r slowToSay) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	p, err := r.World.Start(ctx, b, at)
	if err != nil {
		return nil, err
	}
	return slowProcess{p}, nil
}

type slowProcess struct{ servers.Process }

func (p slowProcess) Err() error {
	time.Sleep(200 * time.Millisecond)
	return p.Process.Err()
}

// TestDiesWhileDraining: a server that exits by itself while the run ends is recorded
// before the end, which is the last record.
func TestDiesWhileDraining(t *testing.T) {
	t.Parallel()
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.Runtime = slowToSay{w}
	ctx, cancel := context.WithCancel(runtest.Bounded(t))
	w.OnStep = func(number int) {
		if number == 3 {
			w.Die("b-1")
			cancel()
		}
	}
	require.Error(t, Run(ctx, c))
	var died []string
	for _, s := range load(t, c).Servers {
		if s.Event == history.Died {
			died = append(died, s.Replica)
		}
	}
	assert.Equal(t, []string{"b"}, died)
}

// TestUnready: a server that is not ready in time has not exited, and may only be slow; one
// that exited before it was ready has.
func TestUnready(t *testing.T) {
	for want, err := range map[history.ServerEvent]error{
		history.Unready: fmt.Errorf("not ready after 2m0s: %v", context.DeadlineExceeded),
		history.Died:    fmt.Errorf("start: %w", &servers.ExitError{Name: "b-1", Status: "exited with status 1"}),
	} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, runtest.Small))
		w.OnStart = func(_ context.Context, name string) error {
			if name == "b-1" || name == "b-2" { // the first may conflict, and is started again
				return err
			}
			return nil
		}
		require.Error(t, Run(runtest.Bounded(t), c))
		h := load(t, c)
		assert.True(t, slices.ContainsFunc(h.Servers, func(s history.Server) bool { return s.Replica == "b" && s.Event == want }), want)
		assert.Equal(t, history.Failed, runtest.Ended(h).Outcome, want)
	}
}
