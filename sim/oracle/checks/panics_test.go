package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

const brokenStream = "stream error: stream ID 11; INTERNAL_ERROR; received from peer"

// TestPanicked: a server that panics breaks rule-3, of whichever release it is and whatever
// it was sent, and no other check reports it; a stream that broke for another reason is
// reported as it was, and is no panic.
func TestPanicked(t *testing.T) {
	for name, c := range map[string]struct {
		spec  string
		panic bool
		want  string
	}{
		"plain, a panic":         {oracletest.PlainSpec, true, "rule-3 violation rule-3 panicked server-panic treated-1  in step 7 (upgrading 1/2)"},
		"plain, a broken stream": {oracletest.PlainSpec, false, "answers violation rule-5 failed unattributed treated-1  in step 7 (upgrading 1/2)"},
		"the change, a panic":    {`{"shine": {"level": 3}}`, true, "rule-3 violation rule-3 panicked server-panic treated-1 .spec.shine in step 7 (upgrading 1/2)"},
		"the change, a broken stream": {`{"shine": {"level": 3}}`, false,
			"rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 7 (upgrading 1/2)"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewRun(t)
			run.Create("control-1", oracletest.PlainSpec, oracletest.By(term.NewTyped))
			run.Create("bystander-1", oracletest.PlainSpec, oracletest.By(term.NewTyped), oracletest.Via("b"))
			run.Observe()
			run.Stage("upgrading 1/2", term.New, term.Old) // step 5
			run.Create("bystander-2", oracletest.PlainSpec, oracletest.By(term.NewTyped))
			step := run.Create("treated-1", c.spec, oracletest.By(term.NewTyped), oracletest.Via("b"), oracletest.Refused(0, brokenStream))
			if c.panic {
				run.Panic(step)
			}
			res := run.Result()
			var all []string
			for _, f := range res.Findings {
				all = append(all, oracletest.Brief(f))
			}
			require.Equal(t, []string{c.want}, all)
			if c.panic {
				assert.Equal(t, &result.Panic{Value: "index out of range", Function: "x.validate", Line: "x/y.go:7"}, res.Findings[0].Panic)
			}
			for _, check := range res.Checks {
				f := res.Findings[0]
				assert.Equal(t, check.Name == f.Check || string(check.Name) == string(f.Rule), check.Verdict == term.Fail, check.Name)
			}
		})
	}
}

// TestPanickedBesides: of requests that are not the steps' own, a panic is reported once for a
// copy, what was asked and the release.
func TestPanickedBesides(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("treated-1", oracletest.PlainSpec)
	run.Patch("treated-1")
	edge := run.Observe()
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Patch("treated-1")
	p := &history.Panic{Value: "nil"}
	for i := range run.History.Operations {
		if op := &run.History.Operations[i]; op.Purpose == history.Look && op.Role == term.Old {
			op.Exchange = history.Exchange{Method: "GET", Error: brokenStream, Panic: p}
		}
	}
	run.Listing(edge, "a").Exchange = history.Exchange{Method: "GET", Error: brokenStream, Panic: p}
	states := 0
	for _, f := range run.Result().Findings {
		if f.Outcome == term.Panicked {
			states++
			assert.Equal(t, oracletest.OldVersion, f.Release)
		}
	}
	assert.Equal(t, 2, states)
}

// aside is a request that is not its step's own, of a run that has one of each.
type otherRequest struct {
	edit   func(s *oracletest.Run, step, edge int) *history.Exchange
	code   int
	mutant term.CheckName // that reports the same answer without a panic; "": none does
	of     term.CheckName // the check that such a request is one of
}

func otherRequests() map[string]otherRequest {
	try := func(what term.Attempt) func(*oracletest.Run, int, int) *history.Exchange {
		return func(run *oracletest.Run, step, _ int) *history.Exchange {
			return &run.DryRun(step, "bystander-1", "b", what).Exchange
		}
	}
	list := func(run *oracletest.Run, _, edge int) *history.Exchange { return &run.Listing(edge, "b").Exchange }
	look := func(run *oracletest.Run, _, _ int) *history.Exchange {
		for i := range run.History.Operations {
			if op := &run.History.Operations[i]; op.Purpose == history.Look && op.Replica == "b" {
				return &op.Exchange
			}
		}
		return nil
	}
	decodes := term.CheckEverythingDecodes
	return map[string]otherRequest{
		"a dry run, a broken stream": {try(term.LabelAttempt), 0, "", term.CheckStaysWritable},
		"a dry run, 500":             {try(term.LabelAttempt), 500, term.CheckStaysWritable, term.CheckStaysWritable},
		"a DELETE, a broken stream":  {try(term.DeleteAttempt), 0, decodes, decodes},
		"a DELETE, 500":              {try(term.DeleteAttempt), 500, decodes, decodes},
		"a LIST, a broken stream":    {list, 0, decodes, decodes},
		"a LIST, 500":                {list, 500, decodes, decodes},
		"a GET, a broken stream":     {look, 0, decodes, decodes},
		"a GET, 500":                 {look, 500, decodes, decodes},
	}
}

// TestPanickedAsides: no other check reports a panic at a request that is not its step's
// own, and none is left unknown by it; the same answer without a panic is that check's.
func TestPanickedAsides(t *testing.T) {
	for name, c := range otherRequests() {
		for _, panics := range []bool{true, false} {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.PlainSpec)
			run.Patch("bystander-1")
			edge := run.Observe()
			run.Stage("new", term.New, term.New)
			step := run.DryRuns("bystander-1")
			x := c.edit(run, step, edge)
			oracletest.Fail(x, c.code, brokenStream)
			if panics {
				x.Panic = &history.Panic{Value: "nil"}
			}
			res := run.Result()
			want := c.mutant
			if panics {
				want = term.CheckRule3
			}
			var reported []term.CheckName
			for _, f := range res.Findings {
				reported = append(reported, f.Check)
				assert.Equal(t, panics, f.Outcome == term.Panicked, name)
				assert.Equal(t, "Widget", f.Kind, name)
				assert.Regexp(t, `^Widget\b`, f.Message, name)
				assert.NotContains(t, f.Message, " by )", name)
			}
			wanted := []term.CheckName{want}
			if want == "" {
				wanted = nil
			}
			assert.Equal(t, wanted, reported, name)
			if panics {
				assert.Equal(t, term.Pass, oracletest.Check(t, res, c.of).Verdict, name)
			} else {
				assert.NotEqual(t, term.Pass, oracletest.Check(t, res, c.of).Verdict, name)
			}
		}
	}
}

// unowned is a request that is no step's and no copy's look, of a run that has one of each.
type unowned struct {
	edit   func(*oracletest.Run, *history.Panic)
	copy   string
	mutant term.VerdictWord // of everything-decodes without the panic
}

func watchesAndTrials() map[string]unowned {
	trial := func(kind history.TrialKind, name string, code int) func(*oracletest.Run, *history.Panic) {
		return func(run *oracletest.Run, p *history.Panic) {
			x := run.ScratchRead(kind, term.New, name)
			x.Code, x.Answer, x.Error, x.Panic = code, "", brokenStream, p
		}
	}
	watch := func(event history.WatchEvent, code int) func(*oracletest.Run, *history.Panic) {
		return func(run *oracletest.Run, p *history.Panic) {
			w := run.History.Watches[0]
			w.Event, w.Revision, w.Code, w.Message, w.Panic = event, 0, code, brokenStream, p
			run.History.Watches = append(run.History.Watches[:1], w)
		}
	}
	return map[string]unowned{
		"a WATCH that broke off":     {watch(history.WatchClosed, 0), "", term.Unknown},
		"a WATCH that did not begin": {watch(history.WatchError, 500), "", term.Fail},
		"a GET":                      {trial(history.TrialGet, "bystander-1", 500), "bystander-1", term.Fail},
		"a LIST":                     {trial(history.TrialList, "", 500), "", term.Fail},
		"a trial's WATCH":            {trial(history.TrialWatch, "", 200), "", term.Fail},
	}
}

// TestPanickedWatchesAndScratchStores: a WATCH, and a request to a server over a scratch store, that
// have the server panic are rule-3's alone, and owe nothing more. Near miss: they broke off
// and the log has no panic of them, so that what they lack is reported or unknown as before.
func TestPanickedWatchesAndScratchStores(t *testing.T) {
	for name, c := range watchesAndTrials() {
		for _, p := range []*history.Panic{nil, {Value: "nil", Function: "x.list", Line: "x/y.go:7"}} {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.PlainSpec)
			w := run.Watch("b")
			run.Patch("bystander-1")
			w.CatchUp().Close()
			run.Observe()
			run.ReadScratchStores()
			c.edit(run, p)
			res := run.Result()
			if p == nil {
				assert.Equal(t, c.mutant, oracletest.Check(t, res, term.CheckEverythingDecodes).Verdict, name)
				continue
			}
			if assert.Len(t, res.Findings, 1, name) {
				f := res.Findings[0]
				assert.Equal(t, []any{term.CheckRule3, term.Panicked, c.copy, "Widget"}, []any{f.Check, f.Outcome, f.Copy, f.Kind}, name)
				assert.Equal(t, &result.Panic{Value: "nil", Function: "x.list", Line: "x/y.go:7"}, f.Panic, name)
			}
			assert.Equal(t, term.Pass, oracletest.Check(t, res, term.CheckEverythingDecodes).Verdict, name)
		}
	}
}

// TestPanickedBefore: an object whose dry runs have the server panic before the upgrade
// could not be written then.
func TestPanickedBefore(t *testing.T) {
	for _, panics := range []bool{true, false} {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec)
		before := run.DryRuns("control-1")
		run.Stage("new", term.New, term.New)
		after := run.DryRuns("control-1")
		for _, replica := range run.Replicas() {
			x := &run.DryRun(before, "control-1", replica, term.LabelAttempt).Exchange
			oracletest.Fail(x, 0, brokenStream)
			if panics {
				x.Panic = &history.Panic{Value: "nil"}
			}
			oracletest.Fail(&run.DryRun(after, "control-1", replica, term.LabelAttempt).Exchange, 422, "oops")
		}
		frozen := 0
		for _, f := range run.Result().Findings {
			if f.Outcome == term.Frozen {
				frozen++
			}
		}
		assert.Equal(t, map[bool]int{true: 0, false: 1}[panics], frozen)
	}
}
