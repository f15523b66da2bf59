package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestSurge: each release has one server, which joins the other's and outlives it.
func TestSurge(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, "surge: true\n"+runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), c))
	assert.Empty(t, w.Left())
	h := load(t, c)
	assert.True(t, h.Complete())
	var told []string
	for _, s := range h.Servers {
		if s.Event == history.Serving || s.Event == history.Draining {
			told = append(told, fmt.Sprintf("%s %s %s", s.Event, s.Replica, s.Role))
		}
	}
	assert.Equal(t, []string{
		"serving a old", "serving b new", "draining a old", "serving a old", "draining b new", "serving b new", "draining a old", "draining b new",
	}, told)
	for _, o := range h.Operations {
		assert.True(t, o.Exchange.Succeeded() || o.Exchange.Code == 404, "%+v", o)
	}
	assert.Equal(t, map[string]int{"act": 20, "look": 28, "prepare": 1, "read": 7, "try": 35}, purposes(h))
}
