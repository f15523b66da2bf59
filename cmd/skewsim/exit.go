package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
)

// The exit codes, which scripts may rely on.
const (
	exitExpected = 0 // the findings are those that the scenario expects
	exitDiffers  = 1 // they are not, or the scenario does not say which it expects
	exitUsage    = 2 // bad flags, or a bad scenario
	exitUnjudged = 3 // it could not be judged
)

// verdictError carries a verdict that is no pass to the exit code; the summary
// has said everything already, so it has no text but that of what ended the run
// early.
type verdictError struct {
	verdict term.VerdictWord
	ended   error // nil: the run ended by itself
}

func (e verdictError) Error() string {
	if e.ended == nil {
		return ""
	}
	return e.ended.Error()
}

func (e verdictError) Unwrap() error { return e.ended }

// Fault returns that the software under test was judged, if it was.
func (e verdictError) Fault() fault.Fault {
	if e.verdict != term.Fail && e.verdict != term.Impacts {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Verdict}
}

// errorOf is the error behind a verdict; nil for a pass.
func errorOf(v term.VerdictWord) error {
	if v == term.Pass {
		return nil
	}
	return verdictError{verdict: v}
}

// errorOfRun returns the error that gives the exit code of a run.
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

// foundImpacts reports whether a command exits with 1 only because it found impacts, and
// the scenario has no key expect.
func foundImpacts(err error) bool {
	var verdict verdictError
	return errors.As(err, &verdict) && verdict.verdict == term.Impacts && verdict.ended == nil
}

// What --impacts says of such impacts: whether they fail the command.
const (
	impactsFail  = "fail"
	impactsAllow = "allow"
)

// impactsFlag registers --impacts of a command whose exit code follows it.
func (a *app) impactsFlag(c *cobra.Command) {
	a.impactsFor(c, `how impacts affect the exit code if the scenario has no key expect: "fail" exits with 1, "allow" with 0`)
}

// impactsFor registers --impacts, with what it decides.
func (a *app) impactsFor(c *cobra.Command, decides string) {
	c.Flags().StringVar(&a.impacts, "impacts", impactsFail, decides)
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if a.impacts != impactsFail && a.impacts != impactsAllow {
			return fault.ByUser(fmt.Errorf("--impacts: %q is neither %q nor %q", a.impacts, impactsFail, impactsAllow))
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// allowsImpacts reports whether impacts alone do not fail the command.
func (a *app) allowsImpacts() bool {
	return a.impacts == impactsAllow
}

// exitCode is the one place that turns an error into an integer.
func exitCode(err error) int {
	if err == nil {
		return exitExpected
	}
	switch fault.Of(err).Kind {
	case fault.Verdict: // whatever ended the run then
		return exitDiffers
	case fault.User:
		return exitUsage
	}
	return exitUnjudged
}
