package play

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestJudgeFlags: what the next release refuses of the user's flags blocks the way there, and its
// servers start without it; what the first release refuses too is no effect of the upgrade.
func TestJudgeFlags(t *testing.T) {
	both := serverflags.Refusal{Flag: "feature-gates", Element: "Both"}
	gate := serverflags.Refusal{Flag: "feature-gates", Element: "Gone"}
	flag := serverflags.Refusal{Flag: "event-ttl"}
	refused := map[string][]serverflags.Refusal{"v1.36.3": {both}, "v1.37.2": {both, gate, flag}}
	for rollback, want := range map[bool][]string{
		false: {"not-ready up v1.37.2 --event-ttl", "not-ready up v1.37.2 --feature-gates=Gone"},
		true:  {},
	} {
		s := &session{request: Request{
			Rollback: rollback, Options: servers.Options{FeatureGates: map[string]bool{"Both": true, "Gone": true, "Kept": true}, Flags: []string{"--event-ttl=1h"}},
			Refused: func(_ context.Context, b servers.Build, _ map[string][]string) ([]serverflags.Refusal, error) {
				return refused[b.Version], nil
			},
		}}
		h := newHop(s, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
		refused, err := h.refusedFlags(t.Context(), h.builds)
		require.NoError(t, err)
		for role := range h.builds {
			h.options[role] = h.without(refused[role])
		}
		h.judgeFlags(refused)
		found := []string{}
		for _, f := range h.judged.Findings() {
			found = append(found, fmt.Sprintf("%s %s %s %s", f.Outcome, f.Direction, f.Release, f.Path))
		}
		slices.Sort(found)
		assert.Equal(t, want, found)
		assert.Len(t, h.judged.Baseline(), map[bool]int{false: 1, true: 3}[rollback])
		assert.Equal(t, map[string]bool{"Kept": true}, h.options[term.New].FeatureGates)
		assert.Equal(t, []string{"--allow-privileged=true"}, h.options[term.New].Flags)
		assert.Equal(t, map[string]bool{"Gone": true, "Kept": true}, h.options[term.Old].FeatureGates)
		assert.Equal(t, []string{"--event-ttl=1h", "--allow-privileged=true"}, h.options[term.Old].Flags)
		assert.Len(t, h.flagsLeft, 4, "what either release refuses")
		s.result.Source.FlagsTaken = []string{"--feature-gates=Both=true", "--feature-gates=Gone=true", "--feature-gates=BothOther=true"}
		s.leaveFlags(h)
		assert.Equal(t, []string{"--feature-gates=Gone=true", "--feature-gates=BothOther=true"}, s.result.Source.FlagsTaken)
		h.result.Findings = h.judged.Findings()
		if h.result.Grade(preflight.Source{}); !rollback {
			assert.Equal(t, preflight.Blocked, h.result.Up)
		}
	}
}

// TestPrivileged: the flags of the user decide whether servers take privileged Pods; without them, servers do.
func TestPrivileged(t *testing.T) {
	assert.Equal(t, []string{"--allow-privileged=true"}, privileged(servers.Options{}).Flags)
	assert.Equal(t, []string{"--allow-privileged=false"}, privileged(servers.Options{Flags: []string{"--allow-privileged=false"}}).Flags)
}
