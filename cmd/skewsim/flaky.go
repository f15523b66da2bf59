package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// What keeps a server from starting on a machine with too much to do.
const (
	notInTime = "a server was not ready in time"
	tooSlow   = "a server was too slow to start"
)

// flaky tells what of the machine has kept a run from a verdict; "": nothing has. A
// verdict is never of the machine: not what the oracle judged, whatever ended the run
// then, and not what the user got wrong. Nor is a server that ended of what it read: to
// see that is what skewsim is for.
func flaky(err error) string {
	var judged verdictError
	var lacks unavailableError
	var changed *servers.ChangedError
	var over timeoutError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.As(err, &lacks), exitCode(err) != exitUnjudged:
		return ""
	case errors.As(err, &judged) && judged.verdict == term.Fail:
		return ""
	case wasKilled(err):
		return "an executable was killed"
	case errors.As(err, &changed):
		return "an executable was changed"
	case errors.As(err, &over):
		return "it was out of time"
	}
	if what := lostTo(err); what != "" {
		return what
	}
	for _, short := range shortages() {
		if short.keeps(err) {
			return short.what
		}
	}
	return failed(err)
}

// starved tells whether a server could not start in time, as on a machine with too much to
// do: a run waits, and starts it again.
func starved(err error) bool {
	what := flaky(err)
	return what == notInTime || what == tooSlow
}

// lostTo tells of a process that was killed from outside, by the kernel, short of
// memory, or by a person; or that was lost with what it ran on.
func lostTo(err error) string {
	var server *servers.ExitError
	var client *typedclient.ExitError
	switch {
	case errors.As(err, &server) && server.Lost:
		return fmt.Sprintf("server %s was lost with its Docker engine", server.Name)
	case errors.As(err, &server) && server.Killed():
		return fmt.Sprintf("server %s was killed", server.Name)
	case errors.As(err, &client) && regexp.MustCompile(`^was killed by signal 9`).MatchString(client.Status):
		return "a typed client was killed"
	}
	return ""
}

// failed tells of what servers stand on, and of one that a slow machine may have kept
// from being ready.
func failed(err error) string {
	var store *etcd.FailedError
	var engine *container.EngineError
	var registry *container.RegistryError
	var lost *servers.LostError
	var late *servers.LateError
	switch {
	case errors.As(err, &engine), errors.As(err, &lost):
		return "the Docker engine failed"
	case errors.As(err, &registry):
		return "a registry of images cannot be reached"
	case errors.As(err, &store):
		return "the store failed"
	case errors.As(err, &late):
		return notInTime
	}
	return ""
}

// shortage is something that a machine may lack now, and have later.
type shortage struct {
	what string
	of   []error        // what skewsim itself came to
	said *regexp.Regexp // a line that tells of it; nil: none does
}

// keeps tells whether it is what a run ended of. Words count only where nobody else's
// can be: in what the store says of its end, and in the last lines of a server that had
// not served anybody. What others say holds what they read, and that is hostile.
func (s shortage) keeps(err error) bool {
	if slices.ContainsFunc(s.of, func(of error) bool { return errors.Is(err, of) }) {
		return true
	}
	var lines []string
	var server *servers.ExitError
	if errors.As(err, &server) && !server.Ready {
		lines = server.Tail
	}
	var store *etcd.FailedError
	if errors.As(err, &store) {
		lines = append(slices.Clone(lines), strings.Split(store.Error(), "\n")...)
	}
	return s.said != nil && slices.ContainsFunc(lines, s.said.MatchString)
}

// shortages are told in the words of Go, which ends lines with those of Linux, and of its
// runtime, which begins lines.
func shortages() []shortage {
	return []shortage{
		{tooSlow, nil, regexp.MustCompile(`^F\d{4} .*\] PostStartHook "[a-z-]+" failed: unable to perform initial IP and Port allocation check( \(timeout\))?$`)},
		{"a port was taken", []error{syscall.EADDRINUSE}, regexp.MustCompile(`\blisten (tcp|udp|unix)[46]? \S+: bind: address already in use$`)},
		{"the disk is full", []error{syscall.ENOSPC, syscall.EDQUOT, gobuild.ErrDiskFull}, regexp.MustCompile(`: (no space left on device|disk quota exceeded|database space exceeded)$`)},
		{"memory is short", []error{syscall.ENOMEM, gobuild.ErrNoMemory}, regexp.MustCompile(`: cannot allocate memory$|^(fatal error: )?runtime: (out of memory|cannot allocate memory)`)},
		{"too many files are open", []error{syscall.EMFILE, syscall.ENFILE}, regexp.MustCompile(`: too many open files( in system)?$`)},
		{"too many processes run", []error{syscall.EAGAIN}, regexp.MustCompile(`\bfork/exec \S+: resource temporarily unavailable$|^runtime: failed to create new OS thread`)},
		{"the network cannot be reached", []error{gobuild.ErrOffline}, nil},
	}
}
