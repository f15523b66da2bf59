package run

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
)

// TestRollOutStartsTogether: the last server of a roll-out starts at its first
// stage, before the first is ready. Were it to start later, nobody would let
// the first one go on.
func TestRollOutStartsTogether(t *testing.T) {
	w := newWorld(t)
	c := config(t, w, smallPlan(t, small))
	begun := map[string]chan struct{}{"b-2": make(chan struct{}), "b-3": make(chan struct{}), "b-4": make(chan struct{})}
	w.onStart = func(ctx context.Context, place string) error {
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
	require.NoError(t, Run(bounded(t), c))
	var starts []string
	for _, e := range w.seen("on store") {
		stage, what, _ := strings.Cut(e, ": ")
		starts = append(starts, stage+": "+strings.TrimSuffix(what, " on store"))
	}
	slices.Sort(starts)
	assert.Equal(t, []string{
		"old: start a-1 at v1", "old: start b-1 at v1",
		"re-upgrading 1/2: start a-4 at v2", "re-upgrading 1/2: start b-4 at v2",
		"rolling-back 1/2: start a-3 at v1", "rolling-back 1/2: start b-3 at v1",
		"upgrading 1/2: start a-2 at v2", "upgrading 1/2: start b-2 at v2",
	}, starts, "no release touches the store before its stage begins")
}

// TestRetired: a replaced server may end beside what goes on, as long as its
// release stays in play; the last of its release has ended before.
func TestRetired(t *testing.T) {
	w := newWorld(t)
	p := smallPlan(t, small)
	c := config(t, w, p)
	later := numbered(t, p, "create x-untouched-001")
	free, told := make(chan struct{}), make(chan int, p.Steps())
	w.onStop = func(place string) {
		switch place {
		case "a-1":
			<-free // ends only once the stage has gone on
		case "b-1", "b-2", "b-3":
			goneOn(t, place, told)
		}
	}
	w.onStep = func(n int) {
		told <- n
		if n == later {
			close(free)
		}
	}
	require.NoError(t, Run(bounded(t), c))
	events := w.seen("")
	index := func(text string) int {
		return slices.IndexFunc(events, func(e string) bool { return strings.HasSuffix(e, text) })
	}
	for _, last := range []struct{ server, stage, serving string }{
		{"b-1", "new: ", "b-2"}, {"b-2", "rolled-back: ", "b-3"}, {"b-3", "re-upgraded: ", "b-4"},
	} {
		first := slices.IndexFunc(events, func(e string) bool {
			return strings.HasPrefix(e, last.stage) && strings.HasSuffix(e, "through "+last.serving)
		})
		assert.Positive(t, first, last.serving)
		assert.Less(t, index("stopped "+last.server), first, "%s: while it ends, its release is in play", last.server)
	}
}

// goneOn fails when a step is told while a server ends that is the last of its
// release. A run that does not wait for it needs a moment to show that.
func goneOn(t *testing.T, place string, told chan int) {
	for len(told) > 0 {
		<-told
	}
	select {
	case n := <-told:
		t.Errorf("step %d went on while %s ended", n, place)
	case <-time.After(50 * time.Millisecond):
	}
}

// TestDiesWhileWarm: a server that waits for its turn and dies ends the run too.
func TestDiesWhileWarm(t *testing.T) {
	w := newWorld(t)
	p := smallPlan(t, small)
	c := config(t, w, p)
	ready := make(chan struct{})
	c.Runtime = readyRuntime{w, func(name string) {
		if name == "b-2" {
			close(ready)
		}
	}}
	var dead *servers.ExitError
	at := numbered(t, p, "create x-untouched-001")
	w.onStep = func(n int) {
		if n == at {
			<-ready
			dead = w.die("b-2")
			<-w.context.Done()
		}
	}
	err := Run(bounded(t), c)
	assert.Equal(t, error(dead), err)
	assert.Empty(t, w.left())
	assert.Equal(t, &history.End{Outcome: history.Failed, Message: dead.Error()}, load(t, c).End)
}

// readyRuntime tells of each server that it has started.
type readyRuntime struct {
	*world
	ready func(name string)
}

func (r readyRuntime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	p, err := r.world.Start(ctx, b, at)
	if err == nil {
		r.ready(at.Name)
	}
	return p, err
}

// unreachable is a process whose certificate authority is none.
type unreachable struct{ servers.Process }

func (unreachable) Endpoint() servers.Endpoint {
	return servers.Endpoint{URL: "https://127.0.0.1:1", CAData: []byte("x")}
}

type unreachableRuntime struct{ *world }

func (r unreachableRuntime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	p, err := r.world.Start(ctx, b, at)
	if at.Store.Endpoint == "store" {
		p = unreachable{p}
	}
	return p, err
}

// TestUnreachableIsKilled: a server that no client can be made for is no less
// alive, and must not stay.
func TestUnreachableIsKilled(t *testing.T) {
	w := newWorld(t)
	c := config(t, w, smallPlan(t, small))
	c.Runtime = unreachableRuntime{w}
	err := Run(bounded(t), c)
	assert.EqualError(t, err, "connect to https://127.0.0.1:1: unable to load root certificates: unable to parse bytes as PEM block")
	assert.Empty(t, w.left())
}

// TestOptions: each release's servers get its own options.
func TestOptions(t *testing.T) {
	text := "old: {flags: [--old]}\nnew: {featureGates: {Later: true}}\n"
	p := smallPlan(t, strings.Replace(small, "play:", text+"play:", 1))
	w := &walker{config: Config{Plan: p}}
	assert.Equal(t, servers.Options{Flags: []string{"--old"}}, w.options("old"))
	assert.Equal(t, servers.Options{FeatureGates: map[string]bool{"Later": true}}, w.options("new"))
	assert.Equal(t, servers.Options{}, w.options("other"))
}
