package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/term"
)

// TestFlaky: what the machine did is told from a verdict, and from what was played.
func TestFlaky(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Build: "frobber@1.1", Status: "was killed by signal 9 (killed)", Ready: true}
	crashed := &servers.ExitError{Name: "b-1", Status: "exited with status 2", Tail: []string{"panic: reflect: call of nil"}}
	noPort := &servers.ExitError{Name: "b-1", Status: "exited with status 1", Tail: []string{"listen tcp 127.0.0.1:6443: bind: address already in use"}}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a server killed":              {fmt.Errorf("stage new: %w", killed), "server b-1 was killed"},
		"a server that crashed":        {crashed, ""},
		"a server without a port":      {noPort, "a port was taken"},
		"a typed client killed":        {&typedclient.ExitError{Release: "v1.1.0", Status: "was killed by signal 9 (killed)"}, "a typed client was killed"},
		"a typed client that crashed":  {&typedclient.ExitError{Release: "v1.1.0", Status: "exited with status 2"}, ""},
		"not ready":                    {errors.New("server a-1 (frobber@1.1): not ready after 1m0s: connection refused"), "a server was not ready in time"},
		"out of time":                  {fmt.Errorf("step 7: %w", context.DeadlineExceeded), "it was out of time"},
		"interrupted":                  {fmt.Errorf("step 7: %w", context.Canceled), ""},
		"a full disk":                  {&os.PathError{Op: "write", Path: "history.jsonl", Err: syscall.ENOSPC}, "the disk is full"},
		"a full disk, in etcd's words": {errors.New("etcd ended: cannot commit tx: write db: no space left on device"), "the disk is full"},
		"no memory":                    {&os.SyscallError{Syscall: "fork/exec", Err: syscall.ENOMEM}, "memory is short"},
		"the store":                    {errors.New("stage new: etcd ended: failed to sync WAL"), "the store failed"},
		"no network":                   {fmt.Errorf("go list: %w", gobuild.ErrOffline), "the network cannot be reached"},
		"a file that is not there":     {&os.PathError{Op: "open", Path: "x.yaml", Err: syscall.ENOENT}, ""},
		"a pass":                       {nil, ""},
		"a failure":                    {verdictError{verdict: term.Fail}, ""},
		"a failure, then killed":       {verdictError{term.Fail, killed}, ""},
		"a check that saw nothing":     {verdictError{verdict: term.Unknown}, ""},
		"no such release":              {&servers.RequestError{Err: errors.New("the network cannot be reached")}, ""},
		"refused":                      {usage(errors.New("address already in use")), ""},
		"an object refused":            {&run.RefusedError{Message: "out of memory"}, ""},
		"cannot be had":                {unavailableError{fmt.Errorf("no v1.37: %w", gobuild.ErrOffline)}, ""},
	} {
		assert.Equal(t, c.want, flaky(c.err), name)
	}
}

// TestInsist: what the machine ended is played again, as often as allowed; what was
// judged is not, and who is left goes without those that are done.
func TestInsist(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)"}
	failed := verdictError{verdict: term.Fail}
	for name, c := range map[string]struct {
		retries int
		came    [][]error // by round
		want    []int     // attempts
		final   []string
	}{
		"all is judged":     {2, [][]error{{nil, failed}}, []int{1, 1}, []string{"pass", "FAIL"}},
		"one is left":       {2, [][]error{{failed, killed}, {nil}}, []int{1, 2}, []string{"FAIL", "pass"}},
		"a failure at last": {2, [][]error{{killed, nil}, {killed}, {failed}}, []int{3, 1}, []string{"FAIL", "pass"}},
		"often enough":      {1, [][]error{{killed, nil}, {killed}}, []int{2, 1}, []string{"unknown", "pass"}},
		"never again":       {0, [][]error{{killed, killed}}, []int{1, 1}, []string{"unknown", "unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			round := 0
			all := (&app{retries: c.retries}).insist(t.Context(), make(company, 2), func(_ context.Context, some company, before []string) []error {
				came := c.came[round]
				assert.Len(t, some, len(came))
				for _, note := range before {
					assert.Equal(t, round > 0, note != "")
				}
				round++
				return came
			})
			assert.Equal(t, len(c.came), round)
			for i, e := range all {
				e.begun = true
				assert.Len(t, e.attempts, c.want[i])
				assert.Equal(t, c.final[i], e.word())
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	all := (&app{retries: 5}).insist(ctx, make(company, 1), func(context.Context, company, []string) []error {
		cancel()
		return []error{killed}
	})
	assert.Len(t, all[0].attempts, 1, "nothing begins after an interruption")
}
