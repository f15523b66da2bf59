package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestTimeoutIsTheJourneys: more time is asked for where the journey's is over, and
// nowhere else: more of it would not make an etcd answer.
func TestTimeoutIsTheJourneys(t *testing.T) {
	const more = "skewsim: out of time: allow more with --timeout; what the run saw is judged and reported"
	ctx, cancel := engine.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	assert.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded, "as the rooms below see it")
	silent := fmt.Errorf("store: etcd at http://h:1: %w", context.DeadlineExceeded)
	for name, c := range map[string]struct {
		err  error
		says string
		code int
	}{
		"what the journey's end is":      {fmt.Errorf("step 7: %w", context.Cause(ctx)), more, ExitUnjudged},
		"what follows from it":           {engine.Late(ctx, silent), more, ExitUnjudged},
		"after a failure":                {engine.Late(ctx, VerdictError{Verdict: term.Fail, Ended: silent}), more, ExitDiffers},
		"before it":                      {engine.Late(t.Context(), silent), "skewsim: store: etcd at http://h:1: context deadline exceeded", ExitUnjudged},
		"something else than a deadline": {engine.Late(ctx, errors.New("no")), "skewsim: no", ExitUnjudged},
	} {
		assert.Equal(t, c.says, campaign.Message(c.err), name)
		assert.Equal(t, c.code, ExitCode(c.err), name)
	}
	assert.NoError(t, engine.Late(ctx, nil))
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, engine.Late(interrupted, context.Canceled), context.Canceled)
}
