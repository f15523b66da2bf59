package run

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
)

const shift = "ShiftKeeper"

// turning is a runtime one gate of which has something taken over.
type turning struct {
	servers.GateTeller
	*world
}

func (turning) TakesOver(b servers.Build) string {
	if b.Version != "v2" {
		return ""
	}
	return shift
}

// TestTakeTurns: where the new release is the first that keeps something as the gate
// has it, which its component names, its second server is executed when the first one is ready.
// Where the old one keeps them so, or the new one does not either, all come at once.
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
			p := smallPlan(t, small)
			k := newKnown(p)
			k.byRole[term.Old] = release{said: history.Release{Gates: tc.old}}
			k.byRole[term.New] = release{said: history.Release{Gates: tc.new}}
			led := &lead{known: k, builds: builds()}
			f := newFleet(t.Context(), fleetConfig{lead: led, runtime: turning{world: newWorld(t)}})
			assert.Len(t, f.letInAtOnce(1), tc.together, "the first upgrade")
			assert.Len(t, f.letInAtOnce(3), 2, "a rollback has nothing to take over")
			f = newFleet(t.Context(), fleetConfig{lead: led, runtime: newWorld(t)})
			assert.Len(t, f.letInAtOnce(1), 2, "nobody says that anything is taken over")
		})
	}
}
