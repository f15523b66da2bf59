package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestPreflightThatEnds: what was found before a preflight ended fails it, unless the request was wrong; one that found
// nothing says why it ended.
func TestPreflightThatEnds(t *testing.T) {
	f := options{failOn: "any"}
	clean := preflight.Result{Hops: []preflight.Hop{{}}}
	broken := preflight.Result{Hops: []preflight.Hop{{Findings: []preflight.Finding{{Outcome: term.Undecodable, Direction: preflight.Back}}}}}
	unready, wrong := errors.New("a release does not become ready"), fault.ByUser(errors.New("no such file"))
	for name, c := range map[string]struct {
		result preflight.Result
		ended  error
		want   int
	}{
		"found":               {broken, nil, ExitDiffers},
		"found, then ended":   {broken, unready, ExitDiffers},
		"nothing, then ended": {clean, unready, ExitUnjudged},
		"a wrong request":     {broken, wrong, ExitUsage},
	} {
		err := f.errorOf(c.result, c.ended)
		assert.Equal(t, c.want, ExitCode(err), name)
		if c.ended != nil {
			assert.ErrorIs(t, err, c.ended, name)
		}
	}
}
