package fault_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/fault"
)

// carrying is an error that says itself whose doing it is.
type carrying struct{ is fault.Fault }

func (c *carrying) Error() string      { return "carrying" }
func (c *carrying) Fault() fault.Fault { return c.is }

var killed = fault.Fault{Kind: fault.Infrastructure, Failure: fault.ServerKilled, Subject: "b-1"}

func TestOf(t *testing.T) {
	some := errors.New("some")
	for name, c := range map[string]struct {
		err  error
		want fault.Fault
	}{
		"none":                  {nil, fault.Fault{}},
		"some error":            {some, fault.Fault{}},
		"a carrier":             {&carrying{killed}, killed},
		"a wrapped carrier":     {fmt.Errorf("stage new: %w", &carrying{killed}), killed},
		"a joined carrier":      {errors.Join(some, fmt.Errorf("stage new: %w", &carrying{killed})), killed},
		"a wrapper":             {fmt.Errorf("x: %w", fault.ByUser(some)), fault.Fault{Kind: fault.User}},
		"the user counts more":  {errors.Join(&carrying{killed}, fault.ByUser(some)), fault.Fault{Kind: fault.User}},
		"a verdict counts most": {errors.Join(fault.Wrap(fault.Verdict, some), fault.Wrap(fault.Unavailable, some), context.Canceled), fault.Fault{Kind: fault.Verdict}},
		"an interruption":       {errors.Join(&carrying{killed}, fmt.Errorf("step 7: %w", context.Canceled)), fault.Fault{Kind: fault.Canceled}},
		"two failures":          {errors.Join(fault.Failed(fault.StoreFailed, some), &carrying{killed}), killed},
		"a kernel's answer":     {&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, fault.Fault{Kind: fault.Infrastructure, Failure: fault.DiskFull}},
		"another answer":        {&os.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, fault.Fault{}},
		"a final failure":       {fault.With(fault.Fault{Final: true}, &carrying{killed}), fault.Fault{Kind: fault.Infrastructure, Failure: fault.ServerKilled, Subject: "b-1", Final: true}},
	} {
		assert.Equal(t, c.want, fault.Of(c.err), name)
		assert.True(t, fault.Is(c.err, c.want.Kind), name)
	}
}

func TestHas(t *testing.T) {
	err := errors.Join(fault.ByUser(errors.New("wrong")), fault.Failed(fault.StoreFailed, &carrying{killed}))
	assert.True(t, fault.Has(err, fault.StoreFailed), "whatever counts more")
	assert.True(t, fault.Has(err, fault.EngineFailed, fault.ServerKilled))
	assert.False(t, fault.Has(err, fault.EngineFailed))
	assert.False(t, fault.Has(nil, fault.None))
}

func TestWrapKeeps(t *testing.T) {
	assert.NoError(t, fault.ByUser(nil))
	assert.NoError(t, fault.Failed(fault.DiskFull, nil))
	some := errors.New("some")
	err := fault.Failed(fault.DiskFull, some)
	assert.ErrorIs(t, err, some)
	assert.Equal(t, some.Error(), err.Error())
}

// TestReasons: every failure has words of its own, but for a store, which is as full as a
// disk; and only an infrastructure failure has a reason.
func TestReasons(t *testing.T) {
	seen := map[string]bool{}
	for f := fault.None + 1; f <= fault.ServerLate; f++ {
		reason := fault.Fault{Kind: fault.Infrastructure, Failure: f, Subject: "b-1"}.Reason()
		assert.NotEmpty(t, reason, f)
		assert.Equal(t, f == fault.StoreFull, seen[reason], reason)
		seen[reason] = true
	}
	assert.Equal(t, "server b-1 was killed", killed.Reason())
	assert.Empty(t, fault.Fault{Kind: fault.User, Failure: fault.DiskFull}.Reason())
}

func TestRetries(t *testing.T) {
	assert.True(t, killed.IsRetryable())
	assert.False(t, fault.Of(fault.With(fault.Fault{Final: true}, &carrying{killed})).IsRetryable())
	assert.False(t, fault.Fault{Kind: fault.User}.IsRetryable())
	assert.False(t, killed.IsSlowStart())
	for _, f := range []fault.Failure{fault.ServerLate, fault.ServerTooSlow} {
		assert.True(t, fault.Fault{Kind: fault.Infrastructure, Failure: f}.IsSlowStart())
	}
}
