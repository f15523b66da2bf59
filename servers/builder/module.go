package builder

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/fault"
)

// buildModule makes a build of a Go module's API server, and the kube-apiserver that it
// depends on.
func (b *Builder) buildModule(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	adapter, err := b.ReadAdapter(ref)
	if err != nil {
		return servers.Build{}, fault.ByUser(err)
	}
	core, err := b.underlyingServer(ctx, adapter.Behind)
	if err != nil {
		return servers.Build{}, err
	}
	return once(b.memo, &b.built, ref, func() (servers.Build, error) {
		cache, err := b.cache.open()
		if err != nil {
			return servers.Build{}, err
		}
		work := b.config.Progress.Begin(ref.String())
		defer work.End()
		return aggregated.Get(ctx, cache, ref, adapter, core, work)
	})
}

// isModuleBuilt reports whether a module's server is built, and what it depends on.
func (b *Builder) isModuleBuilt(ctx context.Context, ref servers.Reference) bool {
	adapter, err := b.ReadAdapter(ref)
	if err != nil || !b.isUnderlyingBuilt(ctx, adapter.Behind) {
		return false
	}
	built, err := Cached()
	return err == nil && aggregated.IsBuilt(built, ref, adapter)
}
