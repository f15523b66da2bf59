package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// reportedWithin is how long a run may take, after a second Ctrl-C, to judge and report
// what it has seen. A store elsewhere, which does not answer, takes most of it.
const reportedWithin = 30 * time.Second

// interruptible ends the context at the first Ctrl-C (or SIGTERM, or SIGHUP), so that a
// run stops its servers and keeps what it has seen. heed tells what further ones do.
func (a *app) interruptible(parent context.Context) (context.Context, func()) {
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

// heed turns signals, until there are no more, into the end of the command. The second
// one kills the servers and removes their keys. The command then goes on to its end, as it
// does after the first, since only whoever plays a run knows whether it is being judged
// already. The third ends the process at once, and so do the second where no
// directory waits for a report, and a report that takes too long.
func (a *app) heed(signals <-chan os.Signal, cancel func(), within time.Duration, exit func(code int)) {
	if _, ok := <-signals; !ok {
		return
	}
	fmt.Fprintln(a.err, "\nskewsim: interrupted: stopping what runs and keeping what was seen; once more kills what runs")
	cancel()
	if _, ok := <-signals; !ok {
		return
	}
	a.abandon()
	if a.awaitsReport() {
		fmt.Fprintln(a.err, "\nskewsim: interrupted again: killed what runs; what was seen is judged and reported; once more ends at once")
		limit := time.NewTimer(within)
		defer limit.Stop()
		select {
		case _, ok := <-signals:
			if !ok {
				return
			}
		case <-limit.C:
		}
		fmt.Fprintln(a.err, "\nskewsim: ended before all that was seen was reported; skewsim report DIR does it")
		a.abandon()
	}
	exit(exitUnjudged)
}

// awaitsReport tells whether a directory was opened whose report is not known to be there.
func (a *app) awaitsReport() bool {
	if a.opened.Load() {
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

// abandon kills the servers of runs that are ended at once, and removes what must not
// outlive them.
func (a *app) abandon() {
	if dir := a.secrets.Load(); dir != nil {
		_ = os.RemoveAll(*dir) // there is nobody left to tell
	}
	if runtime := a.runtime.Load(); runtime != nil {
		go (*runtime).Close() // it may wait for a server that is being started; whoever made it closes it too
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs != nil {
		a.runs.Abandon()
	}
	for _, c := range a.children {
		c.abandon()
	}
}
