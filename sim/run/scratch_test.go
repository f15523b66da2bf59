package run

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// unseen is a plan whose first stage overwrites what it created, so that the new release
// never sees it: of two copies, beside one that stays.
const unseen = `name: small
about: x
objects: {x: {bystander: bystander.yaml}}
replicas: 1
journey: [upgrade]
play:
- {create: x, client: dynamic, via: old}
- {touch: x, client: [dynamic, old-typed], via: old, verb: put, at: old}
`

// trialsOf returns a run's trials, each in a line, sorted.
func trialsOf(h *history.History) (all []string) {
	for _, t := range h.Trials {
		line := fmt.Sprint(t.Role, " ", t.Trial, " ", t.Form, " ", t.Copy, " of ", t.Values, ": ", t.Code, " ", t.Reason, " ", t.Message, t.Error)
		if len(t.Missing) > 0 {
			line += fmt.Sprint(" without ", t.Missing)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

func unseenRun(t *testing.T, change func(w *runtest.World, p *plan.Plan)) (*runtest.World, *history.History) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, unseen)
	c := config(t, w, p)
	if change != nil {
		change(w, p)
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	assert.Empty(t, w.Left())
	return w, load(t, c)
}

// TestTrials: each value that a release has not shown is read on a scratch
// store, under its own key; a release that has shown them all gets none.
func TestTrials(t *testing.T) {
	w, h := unseenRun(t, nil)
	assert.Equal(t, []string{
		"new get  x-bystander-001 of 2: 200  ", "new get  x-bystander-002 of 2: 200  ",
		"new list cached  of 2: 200  ", "new list consistent  of 2: 200  ", "new list paged  of 2: 200  ",
		"new start   of 2: 0  ", "new watch   of 2: 200  ",
	}, trialsOf(h))
	for _, trial := range h.Trials {
		if trial.Trial == history.TrialGet {
			i := slices.IndexFunc(h.Changes, func(c history.Change) bool { return c.Revision == trial.Revision })
			assert.Equal(t, h.Changes[i].Key+" "+h.Changes[i].Value, trial.Key+" "+trial.Value)
			assert.Equal(t, trial.Copy, h.Object(trial.Answer)["metadata"].(map[string]any)["name"])
		}
	}
	assert.Empty(t, w.Seen("start trial-old"))
}

// corrupt makes one stored value unreadable: its first version, which only the first stage
// has shown.
func corrupt(copy string) func(*runtest.World, *plan.Plan) {
	return func(w *runtest.World, _ *plan.Plan) {
		w.Corrupt = func(key string, revision int64, raw []byte) []byte {
			if strings.HasSuffix(key, copy) {
				return []byte("garbage")
			}
			return raw
		}
	}
}

// TestUnreadableValue: GET shows which value it is; LIST, in every form, and WATCH fail for
// all of them.
func TestUnreadableValue(t *testing.T) {
	_, h := unseenRun(t, corrupt("x-bystander-002"))
	assert.Equal(t, []string{
		"new get  x-bystander-001 of 2: 200  ", "new get  x-bystander-002 of 2: 500 InternalError unable to decode",
		"new list cached  of 2: 500 InternalError unable to decode", "new list consistent  of 2: 500 InternalError unable to decode",
		"new list paged  of 2: 500 InternalError unable to decode", "new start   of 2: 0  ",
	}, trialsOf(h)[:6])
	assert.Contains(t, trialsOf(h)[6], "unable to decode x-bystander-002 without [")
	assert.True(t, h.Complete())
}

// TestUnstartable: a server that does not start over the values is a result of the trial;
// another one, started without them, tries value by value.
func TestUnstartable(t *testing.T) {
	_, h := unseenRun(t, func(w *runtest.World, p *plan.Plan) {
		corrupt("x-bystander-002")(w, p)
		w.OnStart = func(_ context.Context, place string) error {
			if place == "trial-new" {
				return runtest.Exit(place, false)
			}
			return nil
		}
	})
	all := trialsOf(h)
	assert.Equal(t, "new get  x-bystander-002 of 2: 500 InternalError unable to decode", all[1])
	assert.Equal(t, "new start   of 0: 0  ", all[5])
	assert.Contains(t, all[6], "new start   of 2: 0  server trial-new (b): exited with status 1 before it was ready")
	_, h = unseenRun(t, func(w *runtest.World, _ *plan.Plan) {
		w.OnStart = func(_ context.Context, place string) error {
			if strings.HasPrefix(place, "trial-new") {
				return runtest.Exit(place, false)
			}
			return nil
		}
	})
	assert.Len(t, h.Trials, 2, "without any server that starts, nothing more can be tried")
}

// TestKilledTrial: the kill of a trial's server is not the doing of a request, or of its
// release; its exit by itself is a result of the trial.
func TestKilledTrial(t *testing.T) {
	for failure, found := range map[fault.Failure]bool{fault.ServerKilled: false, fault.None: true} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, unseen))
		w.OnStart = func(_ context.Context, at string) error {
			if strings.HasPrefix(at, "trial-new") {
				return &servers.ExitError{Name: at, Failure: failure}
			}
			return nil
		}
		err := Run(runtest.Bounded(t), c)
		h := load(t, c)
		assert.Equal(t, found, err == nil, runtest.Status)
		assert.Equal(t, found, slices.ContainsFunc(h.Trials, func(trial history.Trial) bool { return trial.Error != "" }), runtest.Status)
		assert.Empty(t, w.Left())
	}
}

// TestOneTrialFails: what the server of one release cannot read for want of a machine, that of the other one
// reads all the same.
func TestOneTrialFails(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, unseen+"- {touch: x, client: dynamic, via: new, verb: put, at: new}\n"))
	failed := make(chan struct{})
	fail := sync.OnceFunc(func() { close(failed) })
	w.OnStart = func(ctx context.Context, at string) error {
		switch at {
		case "trial-old":
			defer fail()
			return &servers.ExitError{Name: at, Failure: fault.ServerKilled}
		case "trial-new":
			<-failed
		}
		return nil
	}
	require.Error(t, Run(runtest.Bounded(t), c))
	var read []string
	for _, trial := range load(t, c).Trials {
		read = append(read, string(trial.Role)+" "+string(trial.Trial))
	}
	assert.Contains(t, read, "new "+string(history.TrialGet))
	assert.NotContains(t, read, "old "+string(history.TrialGet))
	assert.Empty(t, w.Left())
}

// TestChangedTrial: an executable that changed meanwhile is not the release's, so that its
// failure to start is no result.
func TestChangedTrial(t *testing.T) {
	for _, place := range []string{"trial-new", "a-2"} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, unseen))
		w.OnStart = func(_ context.Context, at string) error {
			if at == place {
				return fmt.Errorf("server: start: %w", &servers.ChangedError{Path: "/bin/server"})
			}
			return nil
		}
		err := Run(runtest.Bounded(t), c)
		var changed *servers.ChangedError
		require.ErrorAs(t, err, &changed, place)
		assert.Empty(t, w.Left())
		h := load(t, c)
		assert.False(t, h.Complete())
		for _, trial := range h.Trials {
			assert.Empty(t, trial.Error, place)
		}
	}
}

// TestSeveralValues: of a key that held several values, each is read; an unreadable one is
// put back, and another server starts over it.
func TestSeveralValues(t *testing.T) {
	w, h := unseenRun(t, func(w *runtest.World, p *plan.Plan) {
		w.Corrupt = func(key string, _ int64, raw []byte) []byte {
			if strings.HasSuffix(key, "x-bystander-001") && strings.Contains(string(raw), "untouched") {
				return []byte("garbage") // as it was created
			}
			return raw
		}
		w.OnStep = func(n int) {
			if n != runtest.Numbered(t, p, "put x-bystander-001") {
				return
			}
			w.Mu.Lock()
			defer w.Mu.Unlock()
			w.Store(w.Objects["x-bystander-001"]) // a write of the servers' own
		}
	})
	var gets []string
	for _, trial := range h.Trials {
		if trial.Trial == history.TrialGet && trial.Copy == "x-bystander-001" {
			gets = append(gets, fmt.Sprint(trial.Role, " ", trial.Code))
		}
	}
	slices.Sort(gets)
	assert.Equal(t, []string{"new 200", "new 500"}, gets)
	refused := slices.DeleteFunc(trialsOf(h), func(line string) bool {
		return !strings.HasPrefix(line, "new list") || !strings.Contains(line, ": 500")
	})
	assert.Len(t, refused, 3, "each form meets the one that cannot be read")
	assert.Len(t, w.Seen("start trial-new"), 2, "one over the newest, one over what could not be read")
}

// TestInterruptedTrial: a run that is given up while a scratch server starts, or reads,
// leaves nothing behind.
func TestInterruptedTrial(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, unseen))
	ctx, cancel := context.WithCancel(runtest.Bounded(t))
	w.OnStart = func(starting context.Context, place string) error {
		if place != "trial-new" {
			return nil
		}
		cancel()
		<-starting.Done()
		return starting.Err()
	}
	assert.Equal(t, context.Canceled, Run(ctx, c))
	assert.Empty(t, w.Left())
	assert.Equal(t, history.Interrupted, load(t, c).End.Outcome)
	w = runtest.NewWorld(t)
	c = config(t, w, runtest.SmallPlan(t, unseen))
	ctx, cancel = context.WithCancel(runtest.Bounded(t))
	w.Serve = func(place string, _ http.ResponseWriter, r *http.Request) bool {
		if place == "trial-new" && r.URL.Query().Get("watch") != "" {
			cancel()
			<-r.Context().Done()
			return true
		}
		return false
	}
	assert.Equal(t, context.Canceled, Run(ctx, c))
	assert.Empty(t, w.Left())
}
