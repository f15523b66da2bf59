package runtest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// Gadget is the resource that the servers serve.
var Gadget = history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true}

// Added is the event of a gadget that is added.
func Added(name string, revision int) string {
	return fmt.Sprintf(`{"type":"ADDED","object":{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":%q,"resourceVersion":"%d"}}}`, name, revision)
}

// Endless keeps a watch open without events, until its client leaves.
func Endless(rw http.ResponseWriter, r *http.Request) {
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
}

// BreakingOff shows one gadget, and breaks the connection.
func BreakingOff(rw http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(rw, Added("x-treated-001", 12))
	rw.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// Logging returns a client of a server whose log has the panic.
func Logging(t testing.TB, p servers.Process, logged *client.Panic) *client.Connection {
	t.Helper()
	e := p.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: func(context.Context, string) *client.Panic { return logged }})
	require.NoError(t, err)
	return conn
}
