package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/probe"
)

// TestKubernetesDegradedServer: what a preflight foresees of a server that cannot read an object is what the server
// does. Of a kind that it only caches, it is ready after a minute; of one that it needs, it is not, and only that one
// keeps it from being ready.
func TestKubernetesDegradedServer(t *testing.T) {
	old, _ := neighbours.Pair(t)
	const other = "/api/v1/configmaps"
	const garbled, needed = "configmaps/space/garbled", "limitranges/space/garbled"
	for at, collection := range map[string]string{garbled: "/api/v1/configmaps", needed: "/api/v1/limitranges"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
			require.NoError(t, err)
			defer store.Close()
			require.NoError(t, store.Put(t.Context(), "/registry/"+at, []byte(`{"apiVersion":"v9","kind":"Garbled"}`)))
			require.NoError(t, store.Put(t.Context(), "/registry/"+garbled, []byte(`{"apiVersion":"v9","kind":"Garbled"}`)))
			a, of := newApp(), store.Store()
			s, err := probe.Start(t.Context(), probe.Config{
				Build: old, Temporary: a.Temporary, Runtime: func(secrets, logs string) (servers.Runtime, error) { return a.NewRuntime(secrets, logs) },
				Store: &of, MayNotRead: []string{collection, other},
			})
			require.NoError(t, err)
			defer s.Close()
			lack := servers.LackOf(s.Process, []string{collection, other})
			assert.Equal(t, at == garbled, lack.Settles)
			if at == needed {
				assert.Equal(t, []string{collection}, lack.Collections, "no informer asks for the other one")
			}
			const minute = 65 * time.Second
			ready := func() bool {
				return s.Conn.Do(t.Context(), client.Request{Method: http.MethodGet, Path: "/readyz"}).Succeeded()
			}
			for began := time.Now(); !ready() && time.Since(began) < minute; {
				time.Sleep(time.Second)
			}
			assert.Equal(t, at == garbled, ready())
		})
	}
}
