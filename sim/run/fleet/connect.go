package fleet

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
)

// Connect returns a client of a server that is ready. longest limits the bytes of a LIST; 0
// is the client's own limit.
func Connect(p servers.Process, longest int64) (*client.Connection, error) {
	e := p.Endpoint()
	return client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: panicsOf(p), Longest: longest})
}

// panicsOf returns how to find out whether a server panicked while it answered a request.
func panicsOf(p servers.Process) func(context.Context, string) *client.Panic {
	return func(ctx context.Context, auditID string) *client.Panic {
		return (*client.Panic)(servers.AwaitPanic(ctx, p, auditID))
	}
}
