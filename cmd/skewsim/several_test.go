package main

import (
	"bytes"
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

// TestFrobberSeveral plays a right scenario and a mutant side by side: each has its record,
// and the mutant's failure is that of both. An interruption ends all that go on.
func TestFrobberSeveral(t *testing.T) {
	withFrobber(t)
	out := t.TempDir()
	var said bytes.Buffer
	code := execute(t.Context(), &App{Out: &said, Err: &said}, []string{"run", "add-field", "frobber/add-field+req*", "--out", out})
	assert.Equal(t, ExitDiffers, code, said.String())
	assert.Regexp(t, `(?m)^2/2 `, said.String())
	assert.Regexp(t, `(?m)^2 scenarios on 2 sets of servers, \d at once, .*: 1 pass, 1 FAIL$`, said.String())
	for _, name := range []string{"add-field", "add-field+required"} {
		wantNoServers(t, filepath.Join(out, name))
		text, err := os.ReadFile(filepath.Join(out, name, campaign.Transcript))
		require.NoError(t, err)
		assert.Contains(t, string(text), "  "+name+", v1.0.0 .. ")
	}

	out = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for begun := 0; begun < 2 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
			logs, _ := filepath.Glob(filepath.Join(out, "*", "logs", "etcd-store.log")) // the pattern is one
			begun = len(logs)
		}
	}()
	said.Reset()
	code = execute(ctx, &App{Out: &said, Err: &said}, []string{"run", "add-field", "star", "plural", "--jobs", "2", "--out", out})
	assert.Equal(t, ExitUnjudged, code, said.String())
	assert.Regexp(t, `: 2 unknown, 1 not played\n$`, said.String())
	left, err := filepath.Glob(filepath.Join(out, "*"))
	require.NoError(t, err)
	assert.Len(t, left, 2)
	for _, dir := range left {
		wantNoServers(t, dir)
		assert.NoDirExists(t, filepath.Join(dir, "secrets"))
		assert.NoDirExists(t, filepath.Join(dir, "stores"))
		assert.FileExists(t, filepath.Join(dir, "result.json"))
	}
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
