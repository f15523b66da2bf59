package run

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// TestTakeTurns: where the new release is the first that keeps the addresses of
// Services as objects, its second server is executed when the first one is ready.
// Where the old one keeps them so, or the new one does not either, all come at once.
func TestTakeTurns(t *testing.T) {
	for _, tc := range []struct {
		name     string
		old, new map[string]bool
		together int
	}{
		{"taken over", map[string]bool{allocation: false}, map[string]bool{allocation: true}, 1},
		{"taken over by a release that has it for good", map[string]bool{allocation: false}, nil, 1},
		{"on in both", map[string]bool{allocation: true}, map[string]bool{allocation: true}, 2},
		{"off in both", map[string]bool{allocation: false}, map[string]bool{allocation: false}, 2},
		{"no such gate", nil, nil, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			k := newWalker(context.Background(), config(t, w, smallPlan(t, small)), func(error) {})
			k.known[term.Old] = known{release: history.Release{Gates: tc.old}}
			k.known[term.New] = known{release: history.Release{Gates: tc.new}}
			assert.Len(t, k.fleet.together(1), tc.together, "the first upgrade")
			assert.Len(t, k.fleet.together(3), 2, "a rollback has nothing to take over")
		})
	}
}
