package fleet

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

const shift = "ShiftKeeper"

// turning is a runtime with a gate whose data the new release takes over.
type turning struct {
	servers.GateTeller
	*runtest.World
}

func (turning) TakesOver(b servers.Build) string {
	if b.Version != "v2" {
		return ""
	}
	return shift
}

// TestTakeTurns: if the new release is the first that stores data in the gate's form, which
// its component names, its second server starts when the first one is ready. If the old one
// stores them so, or the new one does not either, all start at once.
func TestTakeTurns(t *testing.T) {
	for _, tc := range []struct {
		name     string
		old, new map[string]bool
		together int
	}{
		{"taken over", map[string]bool{shift: false}, map[string]bool{shift: true}, 1},
		{"taken over by a release that has it for good", map[string]bool{shift: false}, nil, 1},
		{"on in both", map[string]bool{shift: true}, map[string]bool{shift: true}, 2},
		{"off in both", map[string]bool{shift: false}, map[string]bool{shift: false}, 2},
		{"no such gate", nil, nil, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := runtest.SmallPlan(t, runtest.Small)
			k := NewKnown(p)
			k.ByRole[term.Old] = Release{Said: history.Release{Gates: tc.old}}
			k.ByRole[term.New] = Release{Said: history.Release{Gates: tc.new}}
			led := &Lead{Known: k, Builds: runtest.Builds()}
			f := New(t.Context(), Config{Lead: led, Runtime: turning{World: runtest.NewWorld(t)}})
			assert.Len(t, f.letInAtOnce(1), tc.together, "the first upgrade")
			assert.Len(t, f.letInAtOnce(3), 2, "a rollback has nothing to take over")
			f = New(t.Context(), Config{Lead: led, Runtime: runtest.NewWorld(t)})
			assert.Len(t, f.letInAtOnce(1), 2, "nobody says that anything is taken over")
		})
	}
}
