package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
)

// trialsAhead is a step of trials that began before its turn. Trials have stores and
// servers of their own, and dry runs store nothing, so that the values to read are known
// when the attempts before them begin.
type trialsAhead struct {
	cancel  context.CancelFunc
	done    chan struct{}
	outcome string
	err     error
}

// trial has each release read, on a scratch store, every stored value that it has not shown
// while it served: so it is known for both releases what they make of a value, whatever the
// journey was.
func (m *member) trial(ctx context.Context, s plan.Step) (string, error) {
	if err := m.watches.CatchUp(ctx); err != nil {
		return "", err
	}
	outcomes := make([]string, 2)
	for i, role := range []term.Role{term.Old, term.New} {
		outcomes[i] = fmt.Sprintf("%s: %d values", role, m.shared.decoding.Add(m.values, s.Number, role))
	}
	_, err := m.shared.meet(ctx, m, "trials", func(ctx context.Context) (string, error) { return "", m.shared.decoding.ReadAll(ctx) })
	return strings.Join(outcomes, ", "), err
}

// tryAhead begins the trials if the only step before them is an attempt.
func (m *member) tryAhead(ctx context.Context, steps []plan.Step) {
	if len(steps) < 2 || steps[0].Action != plan.Attempt || steps[1].Action != plan.Trial {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &trialsAhead{cancel: cancel, done: make(chan struct{})}
	m.trials = t
	go func() {
		defer close(t.done)
		t.err = fault.Guard(func() (err error) {
			t.outcome, err = m.trial(ctx, steps[1])
			return err
		})
	}()
}

// tried returns the outcome of the trials in their turn.
func (m *member) tried(ctx context.Context, s plan.Step) (string, error) {
	if m.trials == nil {
		return m.trial(ctx, s)
	}
	<-m.trials.done // the trials' context ends with the run's
	return m.trials.outcome, m.trials.err
}

// giveUp ends trials that are no longer needed.
func (t *trialsAhead) giveUp() {
	t.cancel()
	<-t.done
}
