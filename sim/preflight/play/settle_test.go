package play

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/preflight"
)

// endingRuntime starts servers that end at once.
type endingRuntime struct{ servers.Runtime }

func (endingRuntime) Start(context.Context, servers.Build, servers.Placement) (servers.Process, error) {
	return nil, &servers.ExitError{Status: "exited with 1"}
}
func (endingRuntime) Close() error { return nil }

// TestFirstReleaseNotReady: that the release of the objects does not become ready is found in the direction that is played.
func TestFirstReleaseNotReady(t *testing.T) {
	for rollback, want := range map[bool]preflight.Direction{false: preflight.Up, true: preflight.Back} {
		store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
		require.NoError(t, err)
		defer store.Close()
		s := &session{seal: snapshot.NewSeal(), request: Request{Rollback: rollback}, Host: Host{
			Out: io.Discard, Temporary: func(string) {}, Runtime: func(string, string, string) (servers.Runtime, error) { return endingRuntime{}, nil },
			Facts: func(context.Context, servers.Build) (source.Facts, bool, error) { return source.Facts{}, false, nil },
		}}
		h := newHop(s, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
		server, err := h.settle(t.Context(), store)
		require.NoError(t, err)
		assert.Nil(t, server)
		require.Len(t, h.judged.Baseline(), 1)
		found := h.judged.Baseline()[0]
		assert.Equal(t, []string{string(term.NotReady), string(want), h.versions[s.first()]}, []string{string(found.Outcome), string(found.Direction), found.Release})
	}
}
