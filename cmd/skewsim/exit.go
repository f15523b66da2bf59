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
	ExitExpected = 0 // the findings are those that the scenario expects
	ExitDiffers  = 1 // they are not, or the scenario does not say which it expects
	ExitUsage    = 2 // bad flags, or a bad scenario
	ExitUnjudged = 3 // it could not be judged
)

// VerdictError carries a verdict that is no pass to the exit code; the summary
// has said everything already, so it has no text but that of what ended the run
// early.
type VerdictError struct {
	Verdict term.VerdictWord
	Ended   error // nil: the run ended by itself
}

// Error returns the text of what ended the run early.
func (e VerdictError) Error() string {
	if e.Ended == nil {
		return ""
	}
	return e.Ended.Error()
}

func (e VerdictError) Unwrap() error { return e.Ended }

// Fault returns that the software under test was judged, if it was.
func (e VerdictError) Fault() fault.Fault {
	if e.Verdict != term.Fail && e.Verdict != term.Impacts {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Verdict}
}

// ErrorOf is the error behind a verdict; nil for a pass.
func ErrorOf(v term.VerdictWord) error {
	if v == term.Pass {
		return nil
	}
	return VerdictError{Verdict: v}
}

// ErrorOfRun returns the error that gives the exit code of a run.
func ErrorOfRun(o engine.Outcome) error {
	switch {
	case o.Verdict == term.Fail:
		return VerdictError{o.Verdict, o.Err}
	case o.Err != nil:
		return o.Err
	case o.Verdict == "":
		return ErrorOf(term.Unknown)
	}
	return ErrorOf(o.Verdict)
}

// FoundImpacts reports whether a command exits with 1 only because it found impacts, and
// the scenario has no key expect.
func FoundImpacts(err error) bool {
	var verdict VerdictError
	return errors.As(err, &verdict) && verdict.Verdict == term.Impacts && verdict.Ended == nil
}

// What --impacts says of such impacts: whether they fail the command.
const (
	impactsFail  = "fail"
	impactsAllow = "allow"
)

// ImpactsFlag registers --impacts of a command whose exit code follows it.
func (a *App) ImpactsFlag(c *cobra.Command) {
	a.ImpactsFor(c, `how impacts affect the exit code if the scenario has no key expect: "fail" exits with 1, "allow" with 0`)
}

// ImpactsFor registers --impacts, with what it decides.
func (a *App) ImpactsFor(c *cobra.Command, decides string) {
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

// AllowsImpacts reports whether impacts alone do not fail the command.
func (a *App) AllowsImpacts() bool {
	return a.impacts == impactsAllow
}

// ExitCode is the one place that turns an error into an integer.
func ExitCode(err error) int {
	if err == nil {
		return ExitExpected
	}
	switch fault.Of(err).Kind {
	case fault.Verdict: // whatever ended the run then
		return ExitDiffers
	case fault.User:
		return ExitUsage
	}
	return ExitUnjudged
}
