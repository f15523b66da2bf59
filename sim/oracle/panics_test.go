package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

const brokenStream = "stream error: stream ID 11; INTERNAL_ERROR; received from peer"

// panics has the last act of a step be one that its server panicked at.
func (s *story) panics(step int) {
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step && op.Purpose == history.Act {
			op.Exchange.Panic = &history.Panic{Value: "index out of range", Function: "x.validate", Line: "x/y.go:7"}
		}
	}
}

// TestPanicked: a server that panics breaks rule-3, of whichever release it is and whatever
// it was sent, and no other check reports it; a stream that broke for another reason is
// told as it was, and is no panic.
func TestPanicked(t *testing.T) {
	for name, c := range map[string]struct {
		spec  string
		panic bool
		want  string
	}{
		"plain, a panic":         {plainSpec, true, "rule-3 violation rule-3 panicked server-panic treated-1  in step 7 (upgrading 1/2)"},
		"plain, a broken stream": {plainSpec, false, "answers violation rule-5 failed unattributed treated-1  in step 7 (upgrading 1/2)"},
		"the change, a panic":    {`{"shine": {"level": 3}}`, true, "rule-3 violation rule-3 panicked server-panic treated-1 .spec.shine in step 7 (upgrading 1/2)"},
		"the change, a broken stream": {`{"shine": {"level": 3}}`, false,
			"rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 7 (upgrading 1/2)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tell(t)
			s.create("control-1", plainSpec, by(term.NewTyped))
			s.create("bystander-1", plainSpec, by(term.NewTyped), via("b"))
			s.edge()
			s.stage("upgrading 1/2", term.New, term.Old) // step 5
			s.create("bystander-2", plainSpec, by(term.NewTyped))
			step := s.create("treated-1", c.spec, by(term.NewTyped), via("b"), refused(0, brokenStream))
			if c.panic {
				s.panics(step)
			}
			res := s.result()
			var all []string
			for _, f := range res.Findings {
				all = append(all, brief(f))
			}
			require.Equal(t, []string{c.want}, all)
			if c.panic {
				assert.Equal(t, &result.Panic{Value: "index out of range", Function: "x.validate", Line: "x/y.go:7"}, res.Findings[0].Panic)
			}
			for _, check := range res.Checks {
				assert.Equal(t, check.Name == res.Findings[0].Check, check.Verdict == term.Fail, check.Name)
			}
		})
	}
}

// TestPanickedBesides: of requests that are not the steps' own, a panic is reported once for a
// copy, what was asked and the release.
func TestPanickedBesides(t *testing.T) {
	s := tell(t)
	s.create("treated-1", plainSpec)
	s.patch("treated-1")
	edge := s.edge()
	s.stage("upgrading 1/2", term.New, term.Old)
	s.patch("treated-1")
	p := &history.Panic{Value: "nil"}
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Purpose == history.Look && op.Role == term.Old {
			op.Exchange = history.Exchange{Method: "GET", Error: brokenStream, Panic: p}
		}
	}
	s.listed(edge, "a").Exchange = history.Exchange{Method: "GET", Error: brokenStream, Panic: p}
	states := 0
	for _, f := range s.result().Findings {
		if f.State == term.Panicked {
			states++
			assert.Equal(t, oldVersion, f.Release)
		}
	}
	assert.Equal(t, 2, states)
}

// aside is a request that is not its step's own, of a story that has one of each.
type aside struct {
	bend   func(s *story, step, edge int) *history.Exchange
	code   int
	mutant term.CheckName // that reports the same answer without a panic; "": none does
	of     term.CheckName // the check that such a request is one of
}

func asides() map[string]aside {
	try := func(what term.Attempt) func(*story, int, int) *history.Exchange {
		return func(s *story, step, _ int) *history.Exchange {
			return &s.tried(step, "bystander-1", "b", what).Exchange
		}
	}
	list := func(s *story, _, edge int) *history.Exchange { return &s.listed(edge, "b").Exchange }
	look := func(s *story, _, _ int) *history.Exchange {
		for i := range s.h.Operations {
			if op := &s.h.Operations[i]; op.Purpose == history.Look && op.Replica == "b" {
				return &op.Exchange
			}
		}
		return nil
	}
	decodes := term.CheckEverythingDecodes
	return map[string]aside{
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
	for name, c := range asides() {
		for _, panics := range []bool{true, false} {
			s := mixed(t)
			s.create("bystander-1", plainSpec)
			s.patch("bystander-1")
			edge := s.edge()
			s.stage("new", term.New, term.New)
			step := s.attempt("bystander-1")
			x := c.bend(s, step, edge)
			fails(x, c.code, brokenStream)
			if panics {
				x.Panic = &history.Panic{Value: "nil"}
			}
			res := s.result()
			want := c.mutant
			if panics {
				want = term.CheckRule3
			}
			var told []term.CheckName
			for _, f := range res.Findings {
				told = append(told, f.Check)
				assert.Equal(t, panics, f.State == term.Panicked, name)
				assert.Equal(t, "Widget", f.Kind, name)
				assert.Regexp(t, `^Widget\b`, f.Message, name)
				assert.NotContains(t, f.Message, " by )", name)
			}
			wanted := []term.CheckName{want}
			if want == "" {
				wanted = nil
			}
			assert.Equal(t, wanted, told, name)
			if panics {
				assert.Equal(t, term.Pass, check(t, res, c.of).Verdict, name)
			} else {
				assert.NotEqual(t, term.Pass, check(t, res, c.of).Verdict, name)
			}
		}
	}
}

// unowned is a request that is no step's and no copy's look, of a story that has one of each.
type unowned struct {
	bend   func(*story, *history.Panic)
	copy   string
	mutant term.VerdictWord // of everything-decodes without the panic
}

func watchesAndTrials() map[string]unowned {
	trial := func(kind history.TrialKind, name string, code int) func(*story, *history.Panic) {
		return func(s *story, p *history.Panic) {
			x := s.trialOf(kind, term.New, name)
			x.Code, x.Answer, x.Error, x.Panic = code, "", brokenStream, p
		}
	}
	watch := func(event history.WatchEvent, code int) func(*story, *history.Panic) {
		return func(s *story, p *history.Panic) {
			w := s.h.Watches[0]
			w.Event, w.Revision, w.Code, w.Message, w.Panic = event, 0, code, brokenStream, p
			s.h.Watches = append(s.h.Watches[:1], w)
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

// TestPanickedWatchesAndTrials: a WATCH, and a request to a server over a scratch store, that
// have the server panic are rule-3's alone, and owe nothing more. Near miss: they broke off
// and the log has no panic of them, so that what they lack is reported or unknown as before.
func TestPanickedWatchesAndTrials(t *testing.T) {
	for name, c := range watchesAndTrials() {
		for _, p := range []*history.Panic{nil, {Value: "nil", Function: "x.list", Line: "x/y.go:7"}} {
			s := mixed(t)
			s.create("bystander-1", plainSpec)
			w := s.watch("b")
			s.patch("bystander-1")
			w.catchUp().close()
			s.edge()
			s.trial()
			c.bend(s, p)
			res := s.result()
			if p == nil {
				assert.Equal(t, c.mutant, check(t, res, term.CheckEverythingDecodes).Verdict, name)
				continue
			}
			if assert.Len(t, res.Findings, 1, name) {
				f := res.Findings[0]
				assert.Equal(t, []any{term.CheckRule3, term.Panicked, c.copy, "Widget"}, []any{f.Check, f.State, f.Copy, f.Kind}, name)
				assert.Equal(t, &result.Panic{Value: "nil", Function: "x.list", Line: "x/y.go:7"}, f.Panic, name)
			}
			assert.Equal(t, term.Pass, check(t, res, term.CheckEverythingDecodes).Verdict, name)
		}
	}
}

// TestPanickedBefore: an object whose dry runs have the server panic before the upgrade
// could not be written then.
func TestPanickedBefore(t *testing.T) {
	for _, panics := range []bool{true, false} {
		s := tell(t)
		s.create("control-1", plainSpec)
		before := s.attempt("control-1")
		s.stage("new", term.New, term.New)
		after := s.attempt("control-1")
		for _, replica := range s.servers() {
			x := &s.tried(before, "control-1", replica, term.LabelAttempt).Exchange
			fails(x, 0, brokenStream)
			if panics {
				x.Panic = &history.Panic{Value: "nil"}
			}
			fails(&s.tried(after, "control-1", replica, term.LabelAttempt).Exchange, 422, "oops")
		}
		frozen := 0
		for _, f := range s.result().Findings {
			if f.State == term.Frozen {
				frozen++
			}
		}
		assert.Equal(t, map[bool]int{true: 0, false: 1}[panics], frozen)
	}
}
