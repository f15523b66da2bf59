package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestLegsAreSealed: chain.json repeats what findings say, and a path may hold what is
// confidential; unmarked, it stands there.
func TestLegsAreSealed(t *testing.T) {
	const path = `.spec.keys[="battery-staple-key"]`
	for _, marked := range []bool{true, false} {
		h := &history.History{}
		if marked {
			h.Header.Plan.Confidential = map[string][]string{"Gadget": {".spec.keys"}}
		}
		found := result.Result{Findings: []result.Finding{{Kind: "Gadget", Path: path, Message: "lost " + path}}}
		shown, err := reports.Rejudged(false)(rundir.Judged{Dir: t.TempDir(), Judgement: rundir.Judgement{History: h, Result: found}})
		require.NoError(t, err)
		assert.Equal(t, !marked, strings.Contains(shown.Findings[0].Message, "battery"))
	}
}
