package main

import (
	"context"
	"errors"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/matrix"
)

// note writes down an attempt that the machine ended as soon as it has: whoever kills
// skewsim in the next one has that much. What an earlier matrix has judged stays as it
// was until it is played again.
func (p *player) note(t task, last attempt) {
	if !fault.Is(last.err, fault.Infrastructure) {
		return
	}
	b := p.cells[t.label]
	p.dir.update(func(s *matrix.State) {
		b.ended = append(b.ended, last)
		if c := &s.Cells[b.at]; !c.Earlier || c.Infrastructure {
			c.Attempts = attemptsOf(b.before, b.ended)
		}
	})
}

// attemptsOf are those that an earlier matrix left, where none of them was the last, and
// those of this one.
func attemptsOf(before matrix.Cell, these []attempt) (all []matrix.Attempt) {
	if before.Phase != matrix.Done || before.Infrastructure {
		all = append(all, before.Attempts...)
	}
	for _, t := range these {
		a := matrix.Attempt{Outcome: outcomeOf(t.err), Took: rounded(t.took.Seconds()), With: t.with, Infrastructure: fault.Of(t.err).Reason()}
		if a.Infrastructure != "" {
			a.Reason = firstWords(t.err)
		}
		if errors.Is(t.err, context.Canceled) {
			a.Outcome = string(matrix.Interrupted)
		}
		all = append(all, a)
	}
	return all
}

func isInterrupted(a matrix.Attempt) bool { return a.Outcome == string(matrix.Interrupted) }
