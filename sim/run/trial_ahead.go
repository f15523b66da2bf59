package run

import (
	"context"

	"github.com/skewsim/skewsim/sim/plan"
)

// trialAhead is the trials' step under way before its turn. Trials have stores
// and servers of their own, and dry runs store nothing, so that what there is
// to decide is known when the attempts before them begin.
type trialAhead struct {
	cancel  context.CancelFunc
	done    chan struct{}
	outcome string
	err     error
}

// tryAhead begins the trials when the only step before them is an attempt.
func (w *walker) tryAhead(ctx context.Context, steps []plan.Step) {
	if len(steps) < 2 || steps[0].Action != plan.Attempt || steps[1].Action != plan.Trial {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &trialAhead{cancel: cancel, done: make(chan struct{})}
	w.trials = t
	go func() {
		defer close(t.done)
		t.err = guarded(func() (err error) {
			t.outcome, err = w.trial(ctx, steps[1])
			return err
		})
	}()
}

// tried is the trials' step when its turn has come.
func (w *walker) tried(ctx context.Context, s plan.Step) (string, error) {
	if w.trials == nil {
		return w.trial(ctx, s)
	}
	<-w.trials.done // the trials' context ends with the run's
	return w.trials.outcome, w.trials.err
}

// giveUp ends trials that nobody waits for any more.
func (t *trialAhead) giveUp() {
	t.cancel()
	<-t.done
}
