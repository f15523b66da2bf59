package etcd_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestNoCertificate: a missing client certificate is always reported, although etcd may end the
// connection before the alert is read.
func TestNoCertificate(t *testing.T) {
	host, _ := start(t)
	at := remoteAt(t, host, etcd.Remote{})
	require.NoError(t, etcd.Check(t.Context(), at))
	at.CertFile, at.KeyFile = "", ""
	for range 20 {
		assert.ErrorContains(t, etcd.Check(t.Context(), at), "certificate required; it asks for a client certificate: name one with --etcd-certfile and --etcd-keyfile")
	}
}
