package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestWorst: the exit code of several runs is that of the worst.
func TestWorst(t *testing.T) {
	differs, unjudged := VerdictError{Verdict: term.Fail}, errors.New("server b ended by itself")
	refused := fault.ByUser(errors.New("no such release"))
	for _, c := range []struct {
		all  []error
		code int
	}{
		{[]error{nil, nil}, ExitExpected},
		{[]error{nil, differs, unjudged, refused}, ExitDiffers},
		{[]error{nil, refused, unjudged}, ExitUnjudged},
		{[]error{nil, refused}, ExitUsage},
		{[]error{nil, context.Canceled}, ExitUnjudged},
	} {
		err := worst(c.all)
		assert.Equal(t, c.code, ExitCode(err), "%v", c.all)
		assert.Empty(t, campaign.Message(err))
	}
}

// TestPrepareAll: each scenario once, in a directory of its own, the longest first.
func TestPrepareAll(t *testing.T) {
	all, err := prepareAll(t.Context(), (&App{}).Builds(), []string{"add-field", "frobber/add-f*", "frobber/add-field+req*", "train", "quiet"},
		runFlags{Request: engine.Request{Dir: "x", Timeout: time.Minute}})
	require.NoError(t, err)
	var dirs []string
	for _, each := range all {
		dirs = append(dirs, each.Run.Dir)
	}
	assert.Equal(t, "x/train", dirs[0])
	assert.ElementsMatch(t, []string{"x/add-field", "x/add-field+required", "x/train", "x/quiet"}, dirs)
	for i := range all[1:] {
		assert.GreaterOrEqual(t, all[i].Run.Steps(), all[i+1].Run.Steps())
	}
}

// TestAbandonAll: what ends at once leaves the keys of none of its runs.
func TestAbandonAll(t *testing.T) {
	a := &App{}
	for range 2 {
		dir := filepath.Join(t.TempDir(), "secrets")
		require.NoError(t, os.Mkdir(dir, 0o700))
		a.Beside(nil).Temporary(dir)
		defer assert.NoDirExists(t, dir)
	}
	a.Abandon()
}

// worst is the error of several runs that ended so.
func worst(errs []error) error {
	var all []campaign.Ended
	for _, err := range errs {
		o := engine.Outcome{Err: err}
		var judged VerdictError
		switch {
		case err == nil:
			o.Verdict = term.Pass
		case errors.As(err, &judged):
			o = engine.Outcome{Verdict: judged.Verdict, Err: judged.Ended}
		}
		all = append(all, campaign.Ended{Outcome: o})
	}
	return ErrorOfRun(campaign.Worst(all))
}
