package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// reportedWithin is how long a run may take, after a second Ctrl-C, to judge and report
// what it has seen. A store elsewhere, which does not answer, takes most of it.
const reportedWithin = 30 * time.Second

// endsWithin is how long a command without servers may take to notice that it was interrupted.
const endsWithin = 2 * time.Second

// Interruptible ends the context at the first Ctrl-C (or SIGTERM, or SIGHUP), so that a
// run stops its servers and keeps what it has seen. heed handles further signals.
func (a *App) Interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go a.heed(signals, cancel, reportedWithin, os.Exit)
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// heed handles signals. The first cancels the context, and ends a command that has started no server. The second kills the servers and
// removes their keys; if a run directory waits for its report, the command continues until
// the report is written. The third signal ends the process at once, as does the second if
// no directory waits for a report, and a report that takes too long.
func (a *App) heed(signals <-chan os.Signal, cancel func(), within time.Duration, exit func(code int)) {
	if _, ok := <-signals; !ok {
		return
	}
	if a.hasNothingToEnd() {
		fmt.Fprintln(a.Err, "\nskewsim: interrupted")
		cancel()
		select {
		case _, ok := <-signals:
			if !ok {
				return
			}
		case <-time.After(endsWithin): // it reads or computes, and does not look at the context
		}
		a.Abandon()
		exit(ExitUnjudged)
		return
	}
	fmt.Fprintln(a.Err, "\nskewsim: interrupted: stopping servers and keeping the record; interrupt again to kill the servers")
	cancel()
	if _, ok := <-signals; !ok {
		return
	}
	a.Abandon()
	if a.awaitsReport() {
		fmt.Fprintln(a.Err, "\nskewsim: interrupted again: servers are killed; judging and reporting the record; interrupt again to exit at once")
		limit := time.NewTimer(within)
		defer limit.Stop()
		select {
		case _, ok := <-signals:
			if !ok {
				return
			}
		case <-limit.C:
		}
		fmt.Fprintln(a.Err, "\nskewsim: exited before the report was complete; run skewsim report DIR to write it")
		a.Abandon()
	}
	exit(ExitUnjudged)
}

// hasNothingToEnd reports whether the command has started no server, and has no run to report.
func (a *App) hasNothingToEnd() bool {
	if a.awaitsReport() {
		return false
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return len(a.runtimes) == 0 && len(a.temporary) == 0 && !slices.ContainsFunc(a.children, func(c *App) bool { return !c.hasNothingToEnd() })
}

// awaitsReport reports whether an opened run directory has no report yet.
func (a *App) awaitsReport() bool {
	if a.Opened.Load() {
		return true
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs != nil && a.runs.IsOpen() {
		return true
	}
	for _, c := range a.children {
		if c.awaitsReport() {
			return true
		}
	}
	return false
}

// Abandon kills the servers of runs that are ended at once, and removes what must not
// outlive them.
func (a *App) Abandon() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, dir := range a.temporary {
		_ = os.RemoveAll(dir) // nobody can handle the error
	}
	for _, r := range a.runtimes {
		go r.Close() // it may wait for a server that is being started; whoever made it closes it too
	}
	if a.runs != nil {
		a.runs.Abandon()
	}
	for _, c := range a.children {
		c.Abandon()
	}
}
