package play

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// TestUnplayed: a value without a key is named in each direction that is played, counted as an object
// of its kind, and broken already if the given configuration does not read it.
func TestUnplayed(t *testing.T) {
	for rollback, want := range map[bool][]string{false: {"up Secret a", "up Secret b", "back Secret a", "back Secret b"}, true: {"back Secret a", "back Secret b"}} {
		s := &session{request: Request{Rollback: rollback}, taken: Taken{Unread: []Unread{
			{Resource: "secrets", Namespace: "n", Name: "a", Lacks: `the KMS v2 plugin "vault" with the key id "7"`}, {Resource: "secrets", Namespace: "n", Name: "b", Lacks: `the aescbc key "old"`, Configured: true},
		}}}
		h := newHop(s, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
		for _, role := range []term.Role{term.Old, term.New} {
			h.published[role] = published.Release{Resources: []published.Resource{{APIVersion: "apps/v1", Plural: "secrets", Kind: "Other"}, {APIVersion: "v1", Plural: "secrets", Kind: "Secret"}}}
		}
		h.unplayed()
		var found []string
		for _, f := range h.judged.Findings() {
			assert.Equal(t, term.Indeterminate, f.Outcome)
			found = append(found, fmt.Sprintf("%s %s %s", f.Direction, f.Kind, f.Name))
		}
		assert.ElementsMatch(t, want, found)
		assert.Contains(t, h.judged.Findings()[0].Message, `plugin "vault" with the key id "7"`)
		if broken := h.judged.Baseline(); assert.Len(t, broken, 1) {
			assert.Equal(t, term.Undecodable, broken[0].Outcome)
			assert.Equal(t, "b", broken[0].Name)
		}
		assert.Equal(t, 2, h.judged.Kinds()[0].Objects)
	}
}

// TestMeets: a webhook that fails closed is named once for the release whose server wrote by itself, and
// only for kinds without which it does not become ready.
func TestMeets(t *testing.T) {
	h := newHop(&session{}, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	h.webhooks = []Webhooks{WebhooksOf([]byte(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"closed"},"webhooks":[{"rules":[{"apiGroups":["*"],"apiVersions":["*"],"resources":["*"],"operations":["*"]}]}]}`))}
	role := func(key string) reading.Record {
		return reading.Record{Key: key, APIVersion: "rbac.authorization.k8s.io/v1", Form: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: key, Code: 200, Object: []byte(`{}`), Revision: 9}
	}
	lease := reading.Record{Key: "c", APIVersion: "coordination.k8s.io/v1", Form: "coordination.k8s.io/v1", Kind: "Lease", Revision: 9, Object: []byte(`{}`)}
	base := taken{role: term.Old, phase: preflight.PhaseBaseline, until: 8, file: recorded(t)}
	beside := taken{role: term.Old, phase: preflight.PhaseBeside, until: 10, file: recorded(t, role("a"), lease)}
	require.NoError(t, h.mixed(base, beside))
	assert.Equal(t, map[string]int{"ClusterRole": 1, "Lease": 1}, h.written)
	require.NoError(t, h.upgrade(base, taken{role: term.New, phase: preflight.PhaseAlone, until: 11, file: recorded(t, role("a"), lease)}))
	require.NoError(t, h.returned(upgraded{before: &base}, taken{role: term.Old, phase: preflight.PhaseBack, until: 12, file: recorded(t, role("a"), lease)}))
	found := h.judged.Findings()
	require.Len(t, found, 1)
	assert.Equal(t, []any{term.Indeterminate, preflight.Up, "v1.37.2", "closed"}, []any{found[0].Outcome, found[0].Direction, found[0].Release, found[0].Name})
	assert.Equal(t, map[string]int{"ClusterRole": 1, "Lease": 1}, h.written, "counted once")
	require.NoError(t, h.returned(upgraded{before: &base}, taken{role: term.Old, phase: preflight.PhaseBack, until: 12, file: recorded(t, role("b"))}))
	require.Len(t, h.judged.Findings(), 2)
}

// recorded writes records, in the order of their keys, as a reading does.
func recorded(t *testing.T, all ...reading.Record) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "records")
	require.NoError(t, reading.Keep(name, all))
	return name
}
