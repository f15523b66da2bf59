package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/run"
)

// TestReason: an infrastructure failure has a reason in matrix.json; a verdict, and what the
// user gave, have none.
func TestReason(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Build: "frobber@1.1", Status: "was killed by signal 9 (killed)", Ready: true, Failure: fault.ServerKilled}
	crashed := &servers.ExitError{Name: "b-1", Status: "exited with status 2", Tail: []string{"panic: reflect: call of nil"}}
	noPort := &servers.ExitError{Name: "b-1", Status: "exited with status 1", Failure: fault.PortTaken}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a server killed":              {fmt.Errorf("stage new: %w", killed), "server b-1 was killed"},
		"a server that crashed":        {crashed, ""},
		"a server without a port":      {noPort, "a port was taken"},
		"a typed client killed":        {&typedclient.ExitError{Release: "v1.1.0", Status: "was killed by signal 9 (killed)", Killed: true}, "a typed client was killed"},
		"a typed client that crashed":  {&typedclient.ExitError{Release: "v1.1.0", Status: "exited with status 2"}, ""},
		"not ready":                    {&servers.LateError{Err: errors.New("server a-1 (frobber@1.1): not ready after 1m0s: connection refused")}, "a server was not ready in time"},
		"an answer in such words":      {errors.New("step 7: answered 500: x: not ready after 1m0s, out of memory: address already in use"), ""},
		"another file":                 {fmt.Errorf("server b-1: %w", &servers.ChangedError{Path: "frobber-apiserver"}), "an executable was changed"},
		"given up":                     {fault.With(fault.Fault{Final: true}, build.ErrOffline), "the network cannot be reached"},
		"out of time":                  {fmt.Errorf("step 7: %w", engine.TimeoutError{}), "it was out of time"},
		"a deadline of another's":      {fmt.Errorf("step 7: %w", context.DeadlineExceeded), ""},
		"an etcd out of time":          {fmt.Errorf("store: %w", &etcd.FailedError{Err: context.DeadlineExceeded}), "the store failed"},
		"a store that hangs":           {&run.StoreError{Err: fmt.Errorf("store: watch: current revision: %w", &etcd.FailedError{Err: errors.New("keepalive ping failed")})}, "the store failed"},
		"interrupted":                  {fmt.Errorf("step 7: %w", context.Canceled), ""},
		"a full disk":                  {&os.PathError{Op: "write", Path: "history.jsonl.zst", Err: syscall.ENOSPC}, "the disk is full"},
		"a full disk, of the store":    {&etcd.FailedError{Err: fault.Failed(fault.DiskFull, errors.New("cannot commit"))}, "the disk is full"},
		"no memory":                    {&os.SyscallError{Syscall: "fork/exec", Err: syscall.ENOMEM}, "memory is short"},
		"the store":                    {storeFailed("etcd ended: failed to sync WAL"), "the store failed"},
		"the store's claim":            {storeFailed("etcd has not answered for so long that the run's claim to /skewsim-0 has ended there"), "the store failed"},
		"the store, by itself":         {storeFailed("stopped serving by itself"), "the store failed"},
		"the store, killed":            {storeFailed("etcd was killed by signal 9 (killed) although nobody asked it to"), "the store failed"},
		"the store, out of time":       {storeFailed("not up after 1m0s; log: etcd.log"), "the store failed"},
		"a server's end, of the store": {errors.Join(crashed, storeFailed("stopped serving by itself")), "the store failed"},
		"a server lost":                {fmt.Errorf("stage new: %w", &servers.ExitError{Name: "b-1", Status: "was lost with its Docker engine (EOF)", Ready: true, Failure: fault.ServerLost}), "server b-1 was lost with its Docker engine"},
		"a container lost":             {fmt.Errorf("--version: %w", &servers.LostError{Err: io.EOF}), "the Docker engine failed"},
		"no engine":                    {&container.EngineError{Err: errors.New("no Docker engine answers")}, "the Docker engine failed"},
		"an engine that hangs":         {fmt.Errorf("server a-1: %w", &container.EngineError{Err: errors.New("the Docker engine did not do it within 1m0s")}), "the Docker engine failed"},
		"a registry that is away":      {fmt.Errorf("image:x:1: %w", &container.RegistryError{Err: errors.New("no such host")}), "a registry of images cannot be reached"},
		"an image without a server":    {&servers.RequestError{Err: errors.New("image:x: is there a server in it?")}, ""},
		"no memory for a build":        {fmt.Errorf("go build: %w", build.ErrNoMemory), "memory is short"},
		"an executable killed":         {fmt.Errorf("frobber@1.1: %w", &apiserver.AnswerError{Asked: "--version", Status: "was killed by signal 9 (killed)", Killed: true}), "an executable was killed"},
		"an executable ended":          {&apiserver.AnswerError{Asked: "--version", Status: "exited with status 9", Said: "was killed by signal 9"}, ""},
		"no network":                   {fmt.Errorf("go list: %w", build.ErrOffline), "the network cannot be reached"},
		"a file that is not there":     {&os.PathError{Op: "open", Path: "x.yaml", Err: syscall.ENOENT}, ""},
		"a pass":                       {nil, ""},
		"a failure":                    {VerdictError{Verdict: term.Fail}, ""},
		"a failure, then killed":       {VerdictError{Verdict: term.Fail, Ended: killed}, ""},
		"a check that saw nothing":     {VerdictError{Verdict: term.Unknown}, ""},
		"no such release":              {&servers.RequestError{Err: errors.New("the network cannot be reached")}, ""},
		"refused":                      {fault.ByUser(errors.New("address already in use")), ""},
		"an object refused":            {&run.RefusedError{Message: "out of memory"}, ""},
		"not available":                {fault.Wrap(fault.Unavailable, fmt.Errorf("no v1.37: %w", build.ErrOffline)), ""},
	} {
		assert.Equal(t, c.want, fault.Of(c.err).Reason(), name)
	}
}

// storeFailed is how a run ends of its store.
func storeFailed(why string) error {
	return fmt.Errorf("store: watch: the store has ended: %w", &etcd.FailedError{Err: errors.New(why)})
}
