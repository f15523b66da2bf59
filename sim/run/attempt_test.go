package run

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/act"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestGroups: an attempt counts for copies of one manifest, whatever they are there for.
func TestGroups(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), c))
	copies := map[string]plan.Copy{}
	for _, known := range c.Plan.Copies {
		copies[known.Name] = known
	}
	spoken := 0
	for _, op := range load(t, c).Operations {
		for _, other := range op.For {
			spoken++
			assert.Equal(t, copies[op.Copy].Manifest, copies[other].Manifest, "%s speaks for %s", op.Copy, other)
		}
	}
	assert.NotZero(t, spoken, "copies are alike")
}

// tries are a run's attempts, in the order of the plan, with whom they speak for.
func tries(h *history.History) (all []string) {
	for _, o := range h.Operations {
		if o.Purpose == history.Try {
			all = append(all, fmt.Sprint(o.Step, " ", o.Copy, " ", o.Replica, " ", o.Attempt, " ", o.Exchange.Method, " ?", o.Exchange.Query, " ", o.Exchange.Code, " for ", o.For))
		}
	}
	slices.Sort(all)
	return all
}

// TestAttempts: the first of each kind of copy is tried for all of them, always
// the same one.
func TestAttempts(t *testing.T) {
	var before []string
	for range 2 {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, runtest.Small))
		require.NoError(t, Run(runtest.Bounded(t), c))
		all := tries(load(t, c))
		if before != nil {
			assert.Equal(t, before, all)
		}
		before = all
	}
	step := runtest.Numbered(t, runtest.SmallPlan(t, runtest.Small), "as a dry run")
	const others = " for [x-control-002 x-control-003 x-control-004 x-control-005 x-control-006]"
	at := fmt.Sprint(step, " x-control-001 a ")
	assert.Equal(t, []string{
		at + "delete DELETE ?dryRun=All 200" + others, at + "finalizer PATCH ?dryRun=All 200" + others,
		at + "label PATCH ?dryRun=All 200" + others, at + "self PUT ?dryRun=All 200" + others,
		at + "status PUT ?dryRun=All 200" + others,
	}, before[:5])
}

// TestAttemptsFail: what a replica cannot serve cannot be sent back, and a
// conflict is no answer; whatever comes is recorded, and the run goes on.
func TestAttemptsFail(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, w, p)
	first, conflicts := runtest.Numbered(t, p, "as a dry run"), 0
	var mu sync.Mutex
	trying := false
	w.OnStep = func(n int) {
		mu.Lock()
		defer mu.Unlock()
		trying = n == first-1
	}
	var finalizers []any
	w.Serve = func(place string, rw http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case !trying || !strings.Contains(r.URL.Path, "x-control-001"):
			return false
		case place == "a-1" && r.Method == "GET":
			runtest.Reply(rw, 500, runtest.Status(500, "InternalError", "unable to decode"))
		case place == "b-1" && r.Method == "GET":
			runtest.Reply(rw, 200, map[string]any{"metadata": map[string]any{"name": "x-control-001", "finalizers": []string{"f"}}})
		case strings.HasSuffix(r.URL.Path, "/status") && conflicts < 2:
			conflicts++
			runtest.Reply(rw, 409, runtest.Status(409, "Conflict", "changed"))
		case r.Method == "PATCH":
			var body struct{ Metadata struct{ Finalizers []any } }
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
			if body.Metadata.Finalizers != nil {
				finalizers = body.Metadata.Finalizers
			}
			runtest.Reply(rw, 200, map[string]any{})
		default:
			runtest.Reply(rw, 200, map[string]any{})
		}
		return true
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	var got []string
	for _, o := range load(t, c).Operations {
		if o.Purpose == history.Try && o.Step == first {
			got = append(got, fmt.Sprint(o.Replica, " ", o.Attempt, " ", o.Turn, " ", o.Exchange.Method, " ", o.Exchange.Code))
		}
	}
	assert.Equal(t, []string{
		"a label 0 PATCH 200", "a finalizer 0 GET 500", "a self 0 GET 500", "a status 0 GET 500", "a delete 0 DELETE 200",
		"b label 0 PATCH 200", "b finalizer 0 PATCH 200", "b self 0 PUT 200", "b status 0 PUT 409", "b status 1 PUT 409",
		"b status 2 PUT 200", "b delete 0 DELETE 200",
	}, got)
	assert.Equal(t, []any{"f", act.AttemptName}, finalizers)
}
