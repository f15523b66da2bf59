package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"syscall"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/term"
)

// flaky tells what of the machine has kept a run from a verdict; "": nothing has. A
// verdict is never of the machine: not what the oracle judged, whatever ended the run
// then, and not what the user got wrong. Nor is a server that ended of what it read: to
// see that is what skewsim is for.
func flaky(err error) string {
	var judged verdictError
	var lacks unavailableError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.As(err, &lacks), exitCode(err) != exitUnjudged:
		return ""
	case errors.As(err, &judged) && judged.verdict == term.Fail:
		return ""
	case wasKilled(err):
		return "an executable was killed"
	case errors.Is(err, context.DeadlineExceeded):
		return "it was out of time"
	}
	if what := killedBy(err); what != "" {
		return what
	}
	for _, short := range shortages() {
		if short.of != nil && errors.Is(err, short.of) || short.words != nil && short.words.MatchString(err.Error()) {
			return short.what
		}
	}
	return ""
}

// killedBy tells of a process that was killed from outside: by the kernel, short of
// memory, or by a person.
func killedBy(err error) string {
	var server *servers.ExitError
	if errors.As(err, &server) && server.Killed() {
		return fmt.Sprintf("server %s was killed", server.Name)
	}
	var client *typedclient.ExitError
	if errors.As(err, &client) && regexp.MustCompile(`^was killed by signal 9`).MatchString(client.Status) {
		return "a typed client was killed"
	}
	return ""
}

// shortage is something that a machine may lack now, and have later.
type shortage struct {
	what  string
	of    error          // nil: it is told in words alone
	words *regexp.Regexp // as servers, etcd and Go say it
}

// shortages are in the words of Linux, etcd's store, and of what waits for servers.
func shortages() []shortage {
	return []shortage{
		{"a port was taken", syscall.EADDRINUSE, regexp.MustCompile(`address already in use`)},
		{"the disk is full", syscall.ENOSPC, regexp.MustCompile(`no space left on device|disk quota exceeded|database space exceeded`)},
		{"memory is short", syscall.ENOMEM, regexp.MustCompile(`cannot allocate memory|out of memory`)},
		{"too many files are open", syscall.EMFILE, regexp.MustCompile(`too many open files`)},
		{"too many processes run", syscall.EAGAIN, regexp.MustCompile(`fork/exec .*resource temporarily unavailable|failed to create new OS thread`)},
		{"the network cannot be reached", gobuild.ErrOffline, nil},
		{"a server was not ready in time", nil, regexp.MustCompile(`: not ready after `)},
		{"the store failed", nil, regexp.MustCompile(`\betcd ended\b|etcdserver: request timed out|etcdserver: leader changed`)},
	}
}
