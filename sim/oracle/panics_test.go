package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
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
// it was sent, and no other check tells of it; a stream that broke for another reason is
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

// TestPanickedBesides: of requests that are not the steps' own, a panic is told once for a
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
