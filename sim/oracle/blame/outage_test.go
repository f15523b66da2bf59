package blame

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// TestOutages: what comes of an absent program is one impact for each stage and object, with its
// calls; what comes of a program that fails stays as it is.
func TestOutages(t *testing.T) {
	const nobody = "conversion webhook for g/v1, Kind=Widget failed: nobody converts: no program runs"
	failed := func(step int, of, method, message string, at float64) history.Operation {
		return history.Operation{Step: step, Copy: of, Role: term.New, Replica: "a", At: at, Exchange: history.Exchange{Method: method, Code: 500, Message: message, Seconds: 0.1}}
	}
	widget := func(name, object string) *trace.Timeline {
		return &trace.Timeline{Copy: plan.Copy{Name: name, Object: object}, Manifest: plan.Manifest{Kind: "Widget"}}
	}
	ev := &trace.Evidence{Trace: &trace.Trace{
		Steps:  map[int]trace.StagedStep{1: {Stage: "old"}, 2: {Stage: "absent"}, 3: {Stage: "absent"}, 4: {Stage: "new"}},
		ByCopy: map[string]*trace.Timeline{"x-1": widget("x-1", "x"), "x-2": widget("x-2", "x"), "y-1": widget("y-1", "y")},
		History: &history.History{
			Operations: []history.Operation{
				failed(1, "x-1", "GET", "busy", 1), failed(2, "x-1", "GET", nobody, 2), failed(3, "x-2", "PATCH", nobody, 4), failed(3, "y-1", "GET", nobody, 3),
				failed(4, "x-1", "GET", "conversion webhook for g/v1, Kind=Widget failed: wrong", 5),
			},
			Listings: []history.Listing{{Step: 2, Kind: "Widget", Role: term.New, At: 2.5, Exchange: history.Exchange{Method: "GET", Code: 500, Message: nobody}}},
		},
	}}
	wrong := result.Finding{Class: term.Violation, Cause: term.NotConverted, Step: 4}
	all := Outages(ev, ev.History, []result.Finding{{Class: term.Violation, Cause: term.NoProgram, Step: 2}, wrong, {Class: term.Violation, Cause: term.NoProgram, Step: 3}})
	require.Len(t, all, 3)
	assert.Equal(t, wrong, all[0])
	for i, want := range []struct {
		object string
		step   int
		says   string
	}{{"x", 2, "3 calls"}, {"y", 3, "1 call"}} {
		f := all[i+1]
		assert.Equal(t, []any{term.Outage, term.Impact, want.object, want.step, "absent"}, []any{f.Outcome, f.Class, f.Object, f.Step, f.Stage})
		assert.Contains(t, f.Message, want.says)
	}
	assert.Contains(t, all[1].Message, "for 2.1s (2 GET, 1 PATCH)")
}

// TestWithoutOutages: what only looked while no program ran says nothing; what was played, and what failed otherwise, does.
func TestWithoutOutages(t *testing.T) {
	op := func(purpose history.Purpose, message string) history.Operation {
		return history.Operation{Purpose: purpose, Exchange: history.Exchange{Code: 500, Message: message}}
	}
	const nobody, wrong = "conversion webhook for g/v1, Kind=Widget failed: nobody converts: no program runs", "conversion webhook for g/v1, Kind=Widget failed: wrong"
	h := &history.History{Operations: []history.Operation{op(history.Look, nobody), op(history.Act, nobody), op(history.Try, wrong), op(history.Try, nobody)}}
	assert.Equal(t, []history.Operation{h.Operations[1], h.Operations[2]}, WithoutOutages(h).Operations)
	assert.Len(t, h.Operations, 4)
	h.Operations = h.Operations[1:3]
	assert.Same(t, h, WithoutOutages(h))
}
