package main

import (
	"context"
	"errors"
	"testing"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
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
		{term.Pass, nil, exitExpected, ""},
		{term.Fail, nil, exitDiffers, ""},
		{term.Unknown, nil, exitUnjudged, ""},
		{term.Unknown, died, exitUnjudged, "skewsim: server b ended by itself"},
		{term.Fail, died, exitDiffers, "skewsim: server b ended by itself"},
		{term.Unknown, context.Canceled, exitUnjudged, ""},
		{term.Fail, context.Canceled, exitDiffers, ""},
	} {
		err := verdict(reports.Run{Result: result.Result{Verdict: c.verdict}}, c.ended)
		if code, says := exitCode(err), lastWords(err); code != c.code || says != c.says {
			t.Errorf("%s, ended by %v: exit code %d, %q; want %d, %q", c.verdict, c.ended, code, says, c.code, c.says)
		}
	}
}
