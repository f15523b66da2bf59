package run

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/stretchr/testify/require"
)

var gadget = history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true}

func added(name string, revision int) string {
	return fmt.Sprintf(`{"type":"ADDED","object":{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":%q,"resourceVersion":"%d"}}}`, name, revision)
}

func endless(rw http.ResponseWriter, r *http.Request) {
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
}

// breakingOff shows one gadget, and breaks off.
func breakingOff(rw http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(rw, added("x-treated-001", 12))
	rw.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// logging is a client of a server whose log has the panic.
func logging(t testing.TB, p servers.Process, logged *client.Panic) *client.Connection {
	t.Helper()
	e := p.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: func(context.Context, string) *client.Panic { return logged }})
	require.NoError(t, err)
	return conn
}
