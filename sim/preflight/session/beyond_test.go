package session

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/intake"
	"github.com/skewsim/skewsim/sim/published"
)

// TestUnplayed: a value without a key is named in each direction that is played, counted as an object
// of its kind, and broken already if the given configuration does not read it.
func TestUnplayed(t *testing.T) {
	for rollback, want := range map[bool][]string{false: {"up Secret a", "up Secret b", "back Secret a", "back Secret b"}, true: {"back Secret a", "back Secret b"}} {
		s := &session{request: Request{Rollback: rollback}, taken: intake.Taken{Unread: []intake.Unread{
			{Resource: "secrets", Namespace: "n", Name: "a", Lacks: `the KMS v2 plugin "vault" with the key id "7"`}, {Resource: "secrets", Namespace: "n", Name: "b", Lacks: `the aescbc key "old"`, Configured: true},
		}}}
		h := newHop(s, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
		for _, role := range []term.Role{term.Old, term.New} {
			h.published[role] = published.Release{Resources: []published.Resource{{APIVersion: "apps/v1", Plural: "secrets", Kind: "Other"}, {APIVersion: "v1", Plural: "secrets", Kind: "Secret"}}}
		}
		h.unplayed()
		var found []string
		for _, f := range h.judged.Findings() {
			assert.Equal(t, preflight.Indeterminate, f.Class)
			found = append(found, fmt.Sprintf("%s %s %s", f.Direction, f.Kind, f.Name))
		}
		assert.ElementsMatch(t, want, found)
		assert.Contains(t, h.judged.Findings()[0].Message, `plugin "vault" with the key id "7"`)
		if broken := h.judged.Baseline(); assert.Len(t, broken, 1) {
			assert.Equal(t, preflight.Undecodable, broken[0].Class)
			assert.Equal(t, "b", broken[0].Name)
		}
		assert.Equal(t, 2, h.judged.Kinds()[0].Objects)
	}
}
