package run

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// redefining has servers of one release go on as servers of the other.
type redefining struct {
	*runtest.World
	same bool
}

func (r redefining) Redefines(_, _ servers.Build) bool { return r.same }

func (r redefining) Redefine(_ context.Context, p servers.Process, _ servers.Build) (servers.Process, error) {
	if before, again := p.(*passedOn); again {
		close(before.passed)
		p = before.Process
	}
	return &passedOn{p, make(chan struct{})}, nil
}

// passedOn is a server that went on as one of another release.
type passedOn struct {
	servers.Process
	passed chan struct{}
}

func (p *passedOn) Done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-p.passed:
		case <-p.Process.Done():
		}
	}()
	return done
}

// TestRedefined: where releases differ in what they install alone, one server serves them all in turn; where they do
// not, or where several replicas take turns, each release has its own.
func TestRedefined(t *testing.T) {
	t.Parallel()
	const one = "name: small\nabout: x\nobjects: {x: {treated: treated.yaml, bystander: bystander.yaml}}\nreplicas: 1\n" +
		"play:\n- {create: x, via: old}\n- {touch: x, via: new}\n"
	for name, c := range map[string]struct {
		scenario string
		same     bool
		starts   int
	}{
		"one server":    {one, true, 1},
		"other servers": {one, false, 4},
		"two replicas":  {strings.Replace(one, "replicas: 1", "replicas: 2", 1), true, 8},
	} {
		w := runtest.NewWorld(t)
		config := config(t, w, runtest.SmallPlan(t, c.scenario))
		config.Runtime = redefining{w, c.same}
		require.NoError(t, Run(runtest.Bounded(t), config), name)
		assert.Empty(t, w.Left(), name)
		h := load(t, config)
		logs := map[string]bool{}
		var served []term.Role
		for _, s := range h.Servers {
			if s.Event == history.Starting {
				logs[s.Log] = true
			}
			if s.Event == history.Serving && s.Replica == "a" {
				served = append(served, s.Role)
			}
		}
		assert.Len(t, logs, c.starts, name)
		assert.Equal(t, []term.Role{term.Old, term.New, term.Old, term.New}, served, name)
		assert.False(t, slices.ContainsFunc(h.Operations, func(op history.Operation) bool { return op.Exchange.Error != "" }), name)
	}
}
