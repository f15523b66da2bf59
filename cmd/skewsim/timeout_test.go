package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestTimeoutIsTheJourneys: more time is asked for where the journey's is over, and
// nowhere else: more of it would not make an etcd answer.
func TestTimeoutIsTheJourneys(t *testing.T) {
	const more = "skewsim: out of time: give it more with --timeout; what was seen by then is judged and reported"
	ctx, cancel := withTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	assert.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded, "as the rooms below see it")
	silent := fmt.Errorf("store: etcd at http://h:1: %w", context.DeadlineExceeded)
	for name, c := range map[string]struct {
		err  error
		says string
		code int
	}{
		"what the journey's end is":      {fmt.Errorf("step 7: %w", context.Cause(ctx)), more, exitUnjudged},
		"what follows from it":           {late(ctx, silent), more, exitUnjudged},
		"after a failure":                {late(ctx, verdictError{term.Fail, silent}), more, exitDiffers},
		"before it":                      {late(t.Context(), silent), "skewsim: store: etcd at http://h:1: context deadline exceeded", exitUnjudged},
		"something else than a deadline": {late(ctx, errors.New("no")), "skewsim: no", exitUnjudged},
	} {
		assert.Equal(t, c.says, lastWords(c.err), name)
		assert.Equal(t, c.code, exitCode(c.err), name)
	}
	assert.NoError(t, late(ctx, nil))
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, late(interrupted, context.Canceled), context.Canceled)
}
