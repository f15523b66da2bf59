package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/act"
	"github.com/skewsim/skewsim/sim/run/runtest"
	"github.com/skewsim/skewsim/sim/run/stores"
)

func TestFinished(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), c))
	assert.Empty(t, w.Left())
	h := load(t, c)
	assert.True(t, h.Complete())
	assert.Len(t, h.Stages, len(c.Plan.Stages))
	assert.Len(t, h.Releases, 2)
	assert.Empty(t, h.Skips)
	assert.Equal(t, stepNumbers(c.Plan), c.Progress.(*runtest.Progress).Told)
	assert.Equal(t, map[string]int{"act": 20, "look": 40, "prepare": 1, "read": 7, "try": 70}, purposes(h))
	assert.Len(t, h.Changes, 20)
	assert.Len(t, h.Listings, 2*len(term.ListForms())*listsOf(c.Plan))
	assert.Len(t, h.Trials, 6, "a start, a GET, three LISTs and a WATCH: v2 has not shown what the first stage overwrote")
	for _, o := range h.Operations {
		assert.True(t, o.Exchange.Succeeded() || o.Exchange.Code == 404, "%+v", o)
	}
}

// stepNumbers are the steps that a run without errors reports.
func stepNumbers(p *plan.Plan) (all []string) {
	attempted := []string{
		"10 dry runs on 1 of 6 objects", "20 dry runs on 2 of 11 objects", "20 dry runs on 2 of 11 objects",
		"20 dry runs on 2 of 9 objects",
	}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			outcome := "200"
			switch {
			case s.Action == plan.Start, s.Action == plan.Replace:
				outcome = map[string]string{"old": "v1", "new": "v2"}[string(s.Role)] + " ready after 1.0s"
			case s.Action == plan.Observe:
				outcome = "6 lists"
			case s.Action == plan.Watch:
				outcome = map[bool]string{true: "2 opened", false: "1 opened"}[stage.Rollout == ""]
			case s.Action == plan.Attempt:
				outcome = attempted[0]
				attempted = attempted[1:]
			case s.Action == plan.Trial:
				outcome = "old: 0 values, new: 1 values"
			case s.Action == plan.Stop:
				outcome = "stopped"
			case s.Action == plan.Prepare, s.Verb == "create":
				outcome = "201"
			}
			all = append(all, fmt.Sprintf("%d %s", s.Number, outcome))
		}
	}
	return all
}

func listsOf(p *plan.Plan) (n int) {
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Observe {
				n++
			}
		}
	}
	return n
}

func purposes(h *history.History) map[string]int {
	all := map[string]int{}
	for _, o := range h.Operations {
		all[string(o.Purpose)]++
	}
	return all
}

// TestInterrupted stops a run after each of its steps, and before the first: no process
// stays, and the history records it.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	p := runtest.SmallPlan(t, runtest.Small)
	for number := range p.Steps() + 1 {
		w := runtest.NewWorld(t)
		c := config(t, w, p)
		ctx, cancel := context.WithCancel(runtest.Bounded(t))
		w.OnStep = func(n int) {
			if n == number {
				cancel()
			}
		}
		if number == 0 {
			cancel()
		}
		assert.Equal(t, context.Canceled, Run(ctx, c), "step %d", number)
		cancel()
		assert.Empty(t, w.Left(), "step %d", number)
		assert.Equal(t, &history.End{Outcome: history.Interrupted, Message: "interrupted"}, runtest.Ended(load(t, c)), "step %d", number)
	}
}

// TestInterruptedWhileStarting stops a run while each of its servers starts.
func TestInterruptedWhileStarting(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"scratch-old", "scratch-new", "a-1", "b-1", "a-2", "b-2", "a-3", "b-3", "a-4", "b-4"} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, runtest.Small))
		ctx, cancel := context.WithCancel(runtest.Bounded(t))
		w.OnStart = func(starting context.Context, at string) error {
			if at != place {
				return nil
			}
			cancel()
			<-starting.Done()
			return starting.Err()
		}
		assert.Equal(t, context.Canceled, Run(ctx, c), place)
		cancel()
		assert.Empty(t, w.Left(), place)
		assert.Equal(t, history.Interrupted, runtest.Ended(load(t, c)).Outcome, place)
	}
}

func TestOutOfTime(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	assert.Equal(t, context.DeadlineExceeded, Run(ctx, c))
	assert.Equal(t, &history.End{Outcome: history.Interrupted, Message: "out of time"}, runtest.Ended(load(t, c)))
}

// TestEndsAhead: a server that was started early, and exited before it was ready, is
// started again in its turn, and does not count as dead while it was held.
func TestEndsAhead(t *testing.T) {
	for _, place := range []string{"a-2", "b-2"} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, runtest.Small))
		w.OnStart = func(_ context.Context, at string) error {
			if at == place {
				return runtest.Exit(at, false)
			}
			return nil
		}
		require.NoError(t, Run(runtest.Bounded(t), c), place)
		h := load(t, c)
		assert.Equal(t, history.Finished, runtest.Ended(h).Outcome, place)
		for _, s := range h.Servers {
			assert.NotEqual(t, history.Died, s.Event, "%s: %s", place, s.Message)
		}
	}
}

// TestDiesWhileStarting: the run ends with the server's own words, not with a time-out and
// not with "context canceled". A server that was started before its stage, or was one of
// the first, is started again first.
func TestDiesWhileStarting(t *testing.T) {
	t.Parallel()
	p := runtest.SmallPlan(t, runtest.Small)
	for place, words := range map[string]string{"b-1": "start b at old", "a-2": "replace a by one at new", "b-2": "replace b by one at new"} {
		w := runtest.NewWorld(t)
		c := config(t, w, p)
		w.OnStart = func(_ context.Context, at string) error {
			if at[0] == place[0] && at >= place { // or as it is started again
				return runtest.Exit(at, false)
			}
			return nil
		}
		err := Run(runtest.Bounded(t), c)
		build := map[bool]string{true: "gadgets@v1", false: "gadgets@v2"}[strings.HasSuffix(place, "1")]
		var own *servers.ExitError
		require.ErrorAs(t, err, &own, place)
		assert.NotEqual(t, place, own.Name, "it is executed again first")
		assert.EqualError(t, err, fmt.Sprintf("step %d (start %c at %s): %s", runtest.Numbered(t, p, words), place[0], build, own))
		assert.Empty(t, w.Left(), place)
		assert.Equal(t, &history.End{Outcome: history.Failed, Message: err.Error()}, runtest.Ended(load(t, c)))
	}
}

// TestKilledWhileStarting: the record distinguishes a server that was killed from one that
// exited by itself: a kill is not the release's doing.
func TestKilledWhileStarting(t *testing.T) {
	for failure, want := range map[fault.Failure]bool{fault.ServerKilled: true, fault.None: false} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, runtest.Small))
		w.OnStart = func(_ context.Context, at string) error {
			if strings.HasPrefix(at, "b-") {
				return &servers.ExitError{Name: at, Failure: failure}
			}
			return nil
		}
		assert.Error(t, Run(runtest.Bounded(t), c))
		all := load(t, c).Servers
		died := slices.IndexFunc(all, func(s history.Server) bool { return s.Event == history.Died })
		if assert.GreaterOrEqual(t, died, 0) {
			assert.Equal(t, want, all[died].Killed, runtest.Status)
		}
	}
}

// TestDiesWhileServing: the same when it dies later, while it serves.
func TestDiesWhileServing(t *testing.T) {
	p := runtest.SmallPlan(t, runtest.Small)
	for place, words := range map[string]string{
		"a-1": "start b at old", "a-2": "create x-treated-001", "b-4": "delete x-treated",
	} {
		w := runtest.NewWorld(t)
		c := config(t, w, p)
		at := runtest.Numbered(t, p, words)
		var dead *servers.ExitError
		w.OnStep = func(n int) {
			if n == at {
				dead = w.Die(place)
				<-w.Context.Done()
			}
		}
		err := Run(runtest.Bounded(t), c)
		assert.Equal(t, error(dead), err, place)
		assert.Empty(t, w.Left(), place)
		h := load(t, c)
		assert.Equal(t, &history.End{Outcome: history.Failed, Message: dead.Error()}, runtest.Ended(h), place)
		assert.True(t, slices.ContainsFunc(h.Servers, func(s history.Server) bool {
			return s.Event == history.Died && s.Message == dead.Error()
		}), place)
	}
}

// TestRefused: a refusal that the scenario does not declare, and that the pre-check could
// not find, ends the run; closing the store afterwards does not hide the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	const status = `{"kind":"Status","message":"gadget is odd","reason":"Invalid"}`
	p := runtest.SmallPlan(t, runtest.Small)
	w := runtest.NewWorld(t)
	c := config(t, w, p)
	w.Answer = func(place, method, path string) (int, string) {
		if method == "POST" && path == runtest.Collection {
			return map[bool]int{true: 503, false: 422}[strings.HasPrefix(place, "scratch")], status
		}
		return 0, ""
	}
	err := Run(runtest.Bounded(t), c)
	var refused *act.RefusedError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "small.yaml", refused.File)
	assert.Equal(t, fmt.Sprintf("small.yaml:5: step %d (%s): v2 refused %s with 422: gadget is odd; fix the object file, or, "+
		"if that answer is expected, declare it on the line: respond: {code: 422}",
		refused.Step.Number, refused.Step, refused.Manifest), err.Error())
	assert.Empty(t, w.Left())
	assert.Equal(t, &history.End{Outcome: history.Failed, Message: err.Error()}, runtest.Ended(load(t, c)))
}

// TestRefusedLater: a file that one release has accepted is valid. A later refusal is
// evidence.
func TestRefusedLater(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, strings.Replace(runtest.Small, "treated: treated.yaml, ", "", 1)))
	w.Answer = func(place, method, path string) (int, string) {
		if method == "POST" && path == runtest.Collection && strings.HasSuffix(place, "-2") {
			return 422, `{"kind":"Status","message":"size must be odd","reason":"Invalid"}`
		}
		return 0, ""
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	codes := map[int]int{}
	for _, op := range load(t, c).Operations {
		if op.Exchange.Method == "POST" && op.Copy != "" {
			codes[op.Exchange.Code]++
		}
	}
	assert.NotZero(t, codes[201], "those of the control copies")
	assert.NotZero(t, codes[422])
}

// TestNotRefused: a declared answer, and a server in trouble, are for the oracle.
func TestNotRefused(t *testing.T) {
	t.Parallel()
	declared := strings.Replace(runtest.Small, "via: new}", "via: new, respond: {code: 422}}", 1)
	for name, k := range map[string]struct {
		text string
		code int
	}{"declared": {declared, 422}, "too many requests": {runtest.Small, 429}, "an error of its own": {runtest.Small, 500}} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, k.text))
		w.Answer = func(_, method, path string) (int, string) {
			if method == "POST" && path == runtest.Collection {
				return k.code, "no"
			}
			return 0, ""
		}
		require.NoError(t, Run(runtest.Bounded(t), c), name)
		h := load(t, c)
		assert.True(t, h.Complete(), name)
		assert.NotEmpty(t, h.Skips, name)
		for _, s := range h.Skips {
			assert.Equal(t, "the copy was not created", s.Reason, name)
		}
	}
}

// TestPanics: a panic anywhere becomes an error, and no process stays.
func TestPanics(t *testing.T) {
	t.Parallel()
	p := runtest.SmallPlan(t, runtest.Small)
	for _, place := range []string{"scratch-new", "b-1", "a-2", "b-2"} {
		w := runtest.NewWorld(t)
		c := config(t, w, p)
		w.OnStart = func(_ context.Context, at string) error {
			if at == place {
				panic("boom")
			}
			return nil
		}
		err := Run(runtest.Bounded(t), c)
		assert.ErrorContains(t, err, "skewsim itself broke, please report it: boom\ngoroutine ", place)
		assert.Empty(t, w.Left(), place)
		assert.Equal(t, history.Failed, runtest.Ended(load(t, c)).Outcome, place)
	}
	for number := range p.Steps() {
		w := runtest.NewWorld(t)
		c := config(t, w, p)
		w.OnStep = func(n int) {
			if n == number+1 {
				panic("boom")
			}
		}
		assert.ErrorContains(t, Run(runtest.Bounded(t), c), "skewsim itself broke, please report it: boom\n", number)
		assert.Empty(t, w.Left(), number)
	}
	w := runtest.NewWorld(t)
	c := config(t, w, p)
	c.OpenStore = func(ctx context.Context, name string) (stores.Store, error) {
		if name == "store" {
			panic("boom")
		}
		return w.OpenStore(ctx, name)
	}
	assert.ErrorContains(t, Run(runtest.Bounded(t), c), "skewsim itself broke, please report it: boom\n")
	assert.Empty(t, w.Left())
}

func TestStoreFails(t *testing.T) {
	gone := errors.New("store: the disk is full")
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.OpenStore = func(ctx context.Context, name string) (stores.Store, error) {
		if name == "store" {
			return nil, gone
		}
		return w.OpenStore(ctx, name)
	}
	assert.ErrorIs(t, Run(runtest.Bounded(t), c), gone)
	assert.Empty(t, w.Left())
	assert.Equal(t, &history.End{Outcome: history.Failed, Message: gone.Error()}, runtest.Ended(load(t, c)))
}

// TestHistoryFails: a run whose evidence cannot be written ends.
func TestHistoryFails(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	w.OnStep = func(n int) {
		if n == 5 {
			assert.NoError(t, c.History.Close())
		}
	}
	assert.ErrorContains(t, Run(runtest.Bounded(t), c), "history: the evidence can no longer be written: ")
	assert.Empty(t, w.Left())
}

func TestNoProgress(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	c.Progress = nil
	require.NoError(t, Run(runtest.Bounded(t), c))
	assert.True(t, load(t, c).Complete())
}
