package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// runScreen shows one run: its steps, and what came of it. It is the engine.Events of the
// command line.
type runScreen struct {
	steps
	err io.Writer
	app *app // for --impacts
}

// screen shows a run on out, and what is worth a warning on err.
func (a *app) screen(out, err io.Writer, quiet bool) *runScreen {
	return &runScreen{steps: steps{w: out, quiet: quiet}, err: err, app: a}
}

// Warn prints a line beside the run.
func (s *runScreen) Warn(text string) { fmt.Fprintln(s.err, text) }

// Report writes the reports of a run, and prints its summary. What ended the run early comes
// last, after all that was seen before it: the caller prints that.
func (s *runScreen) Report(j rundir.Judged) (result.Result, error) {
	r := reports.New(j.Judgement.History, j.Judgement.Result, j.Judgement.Ledger)
	r.AllowImpacts = s.app.allowsImpacts()
	err := reports.WriteRun(j.Dir, r)
	if j.IsLeg || err == nil && nothingPlayed(r.Result, j.Ended) {
		return r.Result, err
	}
	return r.Result, errors.Join(err, s.summarize(r, j))
}

func (s *runScreen) summarize(r reports.Run, j rundir.Judged) error {
	fmt.Fprintln(s.w)
	err := reports.Text(s.w, r, textOptions(s.w, reportPath(j.Dir)))
	if errors.Is(err, syscall.EPIPE) {
		err = nil // a reader that has gone has seen what it wanted
	}
	if r.Result.Verdict == term.Impacts {
		fmt.Fprintf(s.w, "lines that expect them: skewsim expect %s\n", inShell(j.Dir))
	}
	t := r.Result.Timing
	fmt.Fprintf(s.w, "time: %.1f s in all; summed over what overlaps: starts %.1f s, stops %.1f s, operations %.1f s, looks %.1f s; judging and reports %.1f s\n",
		t.Total, t.Starts, t.Stops, t.Operations, t.Looks, time.Since(j.Began).Seconds())
	return err
}

// nothingPlayed reports whether the user's own mistake ended the run before anything was
// seen: there is nothing to sum up.
func nothingPlayed(res result.Result, ended error) bool {
	saw := func(c result.Check) bool { return c.Judged > 0 }
	return fault.Is(ended, fault.User) && len(res.Findings) == 0 && !slices.ContainsFunc(res.Checks, saw)
}

// Leg prints how long a leg took, and what ended it early.
func (s *runScreen) Leg(name string, took time.Duration, ended error) {
	fmt.Fprintf(s.w, "leg %s: %.1f s\n", name, took.Seconds())
	if ended != nil {
		fmt.Fprintf(s.err, "leg %s: %v\n", name, ended)
	}
}

// ReportChain writes the files of a chain.
func (s *runScreen) ReportChain(dir string, v chain.Verdict) error { return s.app.writeChain(dir, v) }

// ChainEnded prints the verdict of a chain.
func (s *runScreen) ChainEnded(dir string, v chain.Verdict) error {
	return s.app.printChainVerdict(s.w, dir, v)
}

// errorOfRun is the error that gives the exit code of a run.
func errorOfRun(o engine.Outcome) error {
	switch {
	case o.Verdict == term.Fail:
		return verdictError{o.Verdict, o.Err}
	case o.Err != nil:
		return o.Err
	case o.Verdict == "":
		return errorOf(term.Unknown)
	}
	return errorOf(o.Verdict)
}
