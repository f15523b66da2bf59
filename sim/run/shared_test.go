package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fromfile "github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// called is small's plan under another name, with more lines for its file.
func called(t testing.TB, name, more string) *plan.Plan {
	t.Helper()
	text := strings.Replace(runtest.Small, "name: small", "name: "+name, 1) + more
	s, err := fromfile.FS(fstest.MapFS{
		name + ".yaml":   {Data: []byte(text)},
		"treated.yaml":   {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 1, later: 7}}`)},
		"bystander.yaml": {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 2}}`)},
	}, name+".yaml")
	require.NoError(t, err)
	p, err := plan.Build(s, plan.Pair{Old: "gadgets@v1", New: "gadgets@v2"}, 0)
	require.NoError(t, err)
	return p
}

// globalWorld is a world with cluster-scoped gadgets: several runs see each other's.
func globalWorld(t testing.TB) *runtest.World {
	w := runtest.NewWorld(t)
	w.Global = true
	return w
}

// sharedConfigs returns a configuration for each plan, in one world.
func sharedConfigs(t testing.TB, w *runtest.World, all ...*plan.Plan) (configs []Config) {
	for _, p := range all {
		configs = append(configs, config(t, w, p))
	}
	return configs
}

// starts returns the places whose servers were started over the shared store.
func starts(w *runtest.World) (all []string) {
	for _, e := range w.Seen(" on store") {
		all = append(all, strings.Fields(e[strings.Index(e, "start ")+len("start "):])[0])
	}
	slices.Sort(all)
	return all
}

// TestSharedRunStartsServersOnce: each run records the same as alone, and the servers are
// started as often as for a single run.
func TestSharedRunStartsServersOnce(t *testing.T) {
	t.Parallel()
	lone := globalWorld(t)
	require.NoError(t, Run(runtest.Bounded(t), config(t, lone, runtest.SmallPlan(t, runtest.Small))))
	w := globalWorld(t)
	all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""), called(t, "third", ""))
	assert.Equal(t, []error{nil, nil, nil}, Together(runtest.Bounded(t), all))
	assert.Empty(t, w.Left())
	assert.Equal(t, starts(lone), starts(w))
	assert.Len(t, w.Seen("start scratch-old at"), 1, "each release is asked by one server")
	for _, c := range all {
		h := load(t, c)
		assert.True(t, h.Complete())
		assert.Len(t, h.Stages, len(c.Plan.Stages))
		assert.Len(t, h.Changes, 20, "those of its own objects alone")
		assert.Equal(t, map[string]int{"act": 20, "look": 40, "prepare": 1, "read": 7, "try": 70}, purposes(h))
		assert.Len(t, h.Trials, 6)
		for _, x := range h.Changes {
			assert.Contains(t, x.Key, "/"+c.Plan.Scenario+"-x-")
		}
		for _, l := range h.Listings {
			for _, item := range l.Items {
				assert.True(t, slices.ContainsFunc(c.Plan.Copies, func(copy plan.Copy) bool { return copy.Name == item.Copy }))
			}
		}
	}
}

// TestOneEndsEarly: an error of one run, such as an object that is refused, ends only that
// run.
func TestOneEndsEarly(t *testing.T) {
	w := globalWorld(t)
	all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
	w.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.Method != http.MethodPost || !bytes.Contains(body, []byte(`"small-x-`)) {
			return false
		}
		runtest.Reply(rw, 422, runtest.Status(422, "Invalid", "no"))
		return true
	}
	errs := Together(runtest.Bounded(t), all)
	require.ErrorContains(t, errs[0], "both refuse it with 422")
	require.NoError(t, errs[1])
	assert.Equal(t, history.Failed, load(t, all[0]).End.Outcome)
	assert.True(t, load(t, all[1]).Complete())
	assert.Empty(t, w.Left())
}

// TestWillRetry: a run that is refused before it begins ends those that share its servers, before a server starts, if the caller
// changes it and executes all again; if the caller does not, or none is refused, they are executed.
func TestWillRetry(t *testing.T) {
	answers := func(b bool) func(error) bool { return func(error) bool { return b } }
	for name, c := range map[string]struct {
		willRetry       func(error) bool
		refused, begins bool
	}{
		"all are executed again":                {willRetry: answers(true), refused: true},
		"none is refused":                       {willRetry: answers(true), begins: true},
		"it is nothing that the caller changes": {willRetry: answers(false), refused: true, begins: true},
		"the caller changes nothing":            {refused: true, begins: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := globalWorld(t)
			all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
			if c.willRetry != nil {
				all[0].WillRetry = func(err error) bool {
					assert.ErrorAs(t, err, new(*precheck.ObjectError))
					return c.willRetry(err)
				}
			}
			w.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if !c.refused || r.Method != http.MethodPost || !bytes.Contains(body, []byte(`"small-x-`)) {
					return false
				}
				runtest.Reply(rw, 422, runtest.Status(422, "Invalid", "no"))
				return true
			}
			errs := Together(runtest.Bounded(t), all)
			assert.Equal(t, c.refused, errs[0] != nil)
			assert.NotErrorIs(t, errs[0], ErrOtherRefused, "it says itself why it cannot begin")
			assert.Equal(t, c.begins, errs[1] == nil)
			assert.Equal(t, c.begins, len(starts(w)) > 0)
			if !c.begins {
				require.ErrorIs(t, errs[1], ErrOtherRefused)
				assert.Equal(t, history.Failed, load(t, all[1]).End.Outcome)
			} else {
				assert.True(t, load(t, all[1]).Complete())
			}
			assert.Empty(t, w.Left())
		})
	}
}

// TestServerEndsSharedRun: a server that exits by itself ends all runs.
func TestServerEndsSharedRun(t *testing.T) {
	w := globalWorld(t)
	all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
	var once atomic.Bool
	at := runtest.Numbered(t, all[0].Plan, "replace b")
	w.OnStep = func(number int) {
		if number == at && once.CompareAndSwap(false, true) {
			w.Die("a-2")
		}
	}
	for i, err := range Together(runtest.Bounded(t), all) {
		var exit *servers.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, history.Failed, load(t, all[i]).End.Outcome)
	}
	assert.Empty(t, w.Left())
}

// TestSharedRunIsInterrupted: all runs end, and each records it.
func TestSharedRunIsInterrupted(t *testing.T) {
	w := globalWorld(t)
	ctx, cancel := context.WithCancel(runtest.Bounded(t))
	all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
	w.OnStep = func(number int) {
		if number == runtest.Numbered(t, all[0].Plan, "replace b") {
			cancel()
		}
	}
	for i, err := range Together(ctx, all) {
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, history.Interrupted, load(t, all[i]).End.Outcome)
	}
	assert.Empty(t, w.Left())
}

// TestSharedRunHasOneJourney: plans that move servers differently cannot share a run.
func TestSharedRunHasOneJourney(t *testing.T) {
	w := globalWorld(t)
	errs := Together(runtest.Bounded(t), sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", "journey: [upgrade, rollback, upgrade, rollback, upgrade]\n")))
	assert.ErrorContains(t, errors.Join(errs...), "runs with different journeys cannot share servers")
	assert.Empty(t, w.Left())
}
