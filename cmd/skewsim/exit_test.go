package main

import (
	"context"
	"errors"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// A run that ended early is not judged, unless what it found by then fails it.
func TestExitOfARunThatEndedEarly(t *testing.T) {
	died := errors.New("server b ended by itself")
	for _, c := range []struct {
		verdict term.VerdictWord
		ended   error
		code    int
		says    string
	}{
		{term.Pass, nil, ExitExpected, ""},
		{term.Fail, nil, ExitDiffers, ""},
		{term.Impacts, nil, ExitDiffers, ""},
		{term.Unknown, nil, ExitUnjudged, ""},
		{term.Unknown, died, ExitUnjudged, "skewsim: server b ended by itself"},
		{term.Fail, died, ExitDiffers, "skewsim: server b ended by itself"},
		{term.Unknown, context.Canceled, ExitUnjudged, ""},
		{term.Fail, context.Canceled, ExitDiffers, ""},
	} {
		err := ErrorOfRun(engine.Outcome{Verdict: c.verdict, Err: c.ended})
		if code, says := ExitCode(err), campaign.Message(err); code != c.code || says != c.says {
			t.Errorf("%s, ended by %v: exit code %d, %q; want %d, %q", c.verdict, c.ended, code, says, c.code, c.says)
		}
	}
}

// Of several runs impacts alone count when nothing else is wrong with any.
func TestExitOfImpacts(t *testing.T) {
	of := func(v term.VerdictWord) campaign.Ended { return campaign.Ended{Outcome: engine.Outcome{Verdict: v}} }
	passes, impacts, broken, unjudged := of(term.Pass), of(term.Impacts), of(term.Fail), of(term.Unknown)
	for _, c := range []struct {
		all     []campaign.Ended
		impacts bool
		code    int
	}{
		{[]campaign.Ended{passes, impacts}, true, ExitDiffers},
		{[]campaign.Ended{passes, passes}, false, ExitExpected},
		{[]campaign.Ended{impacts, unjudged}, false, ExitUnjudged},
		{[]campaign.Ended{unjudged, impacts, broken}, false, ExitDiffers},
	} {
		if err := ErrorOfRun(campaign.Worst(c.all)); FoundImpacts(err) != c.impacts || ExitCode(err) != c.code {
			t.Errorf("%v: impacts alone %t, exit code %d; want %t, %d", c.all, FoundImpacts(err), ExitCode(err), c.impacts, c.code)
		}
	}
	for _, v := range term.Verdicts() {
		if got := campaign.WordOf(engine.Outcome{Verdict: v.Word}).Verdict(); got != v.Word && v.Word != term.NotApplicable { // which is of a check alone
			t.Errorf("%s: its outcome is taken for %s", v.Word, got)
		}
	}
}

// TestExitOfAReleaseThatIsNotAvailable: it is a usage error only if the command line names
// the release.
func TestExitOfAReleaseThatIsNotAvailable(t *testing.T) {
	withheld := &servers.RequestError{Err: errors.New("v1.37.0 cannot be fetched")}
	if code := ExitCode(fault.Wrap(fault.Unavailable, withheld)); code != ExitUnjudged {
		t.Errorf("the scenario's own: exit code %d", code)
	}
	if code := ExitCode(withheld); code != ExitUsage {
		t.Errorf("the user's: exit code %d", code)
	}
	if code := ExitCode(worst([]error{nil, fault.Wrap(fault.Unavailable, withheld), withheld})); code != ExitUnjudged {
		t.Errorf("of several: exit code %d", code)
	}
}
