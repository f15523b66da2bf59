package main

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/checkout"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// buildSource makes a build of a checkout.
func (a *app) buildSource(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	cache, err := a.cache()
	if err != nil {
		return servers.Build{}, err
	}
	progress := newBuilding(a.err, ref.String())
	defer progress.done()
	c, err := a.openCheckout(ctx, ref)
	if err != nil {
		return servers.Build{}, err
	}
	return kubeapiserver.FromCheckout(ctx, cache, c, progress)
}

// openCheckout reads a checkout once, so that its server and its clients are built of
// the same. The caller holds the lock of the builds.
func (a *app) openCheckout(ctx context.Context, ref servers.Reference) (*checkout.Checkout, error) {
	if c, ok := a.sources[ref]; ok {
		return c, nil
	}
	c, err := checkout.Open(ctx, ref.Path)
	if err == nil {
		a.sources = with(a.sources, ref, c)
	}
	return c, err
}

// isSourceBuilt tells whether a checkout is built as it is now.
func (a *app) isSourceBuilt(ctx context.Context, ref servers.Reference) bool {
	a.building.Lock()
	defer a.building.Unlock()
	c, err := a.openCheckout(ctx, ref)
	if err != nil {
		return false // the run will tell
	}
	cache, err := a.cache()
	return err == nil && kubeapiserver.HasCheckout(cache, c)
}

// checkoutOf tells whether text is a reference to a checkout.
func checkoutOf(text string) (servers.Reference, bool) {
	ref, err := servers.ParseReference(text)
	return ref, err == nil && ref.Scheme == servers.SchemeSource
}
