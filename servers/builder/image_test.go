package builder

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestNoGuard: where nothing removes containers that are left, none is run.
func TestNoGuard(t *testing.T) {
	b := New(Config{})
	_, err := b.Build(t.Context(), servers.Reference{Scheme: servers.SchemeImage, Path: "example.com/kube-apiserver:v1.36.3"})
	require.Error(t, err)
	docker, _, err := b.Etcd(t.Context(), "example.com/etcd:3.6")
	require.Error(t, err)
	assert.Nil(t, docker)
	assert.NoError(t, b.PingEngine(t.Context()), "none was run")
	assert.NoError(t, b.Close())
	assert.False(t, b.IsBuilt(t.Context(), servers.Reference{Scheme: servers.SchemeImage, Path: "x"}))
}
