package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestWithoutName: copies without a namespace are named after the scenario, the longer ones after a hash of
// it: what was sent for them is the same.
func TestWithoutName(t *testing.T) {
	h := &history.History{}
	h.Header.Plan.Scenario = strings.Repeat("scenario", 4)
	ev := &trace.Evidence{Trace: &trace.Trace{History: h}}
	texts := map[string]bool{}
	for _, name := range []string{"thing-control-001", "thing-" + strings.Repeat("x", 30) + "-001"} {
		c := plan.Copy{Name: name}
		texts[trace.WithoutName(ev, &trace.Timeline{Copy: c}, "name: "+h.Header.Plan.ObjectName(c, false)+", of "+name)] = true
	}
	assert.Equal(t, map[string]bool{"name: NAME, of NAME": true}, texts)
}
