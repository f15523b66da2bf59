package run

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
)

// panicsOf says of a request that a server broke off whether the server panicked.
func panicsOf(p servers.Process) func(context.Context, string) *client.Panic {
	return func(ctx context.Context, auditID string) *client.Panic {
		return (*client.Panic)(servers.AwaitPanic(ctx, p, auditID))
	}
}
