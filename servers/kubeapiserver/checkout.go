package kubeapiserver

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// checkoutRevision must be incremented with every change of how a checkout is built.
const checkoutRevision = "1"

// FromCheckout builds the kube-apiserver of a checkout of Kubernetes, as `go build
// ./cmd/kube-apiserver` does there, or takes it from the cache if neither the checkout
// nor Go has changed since. The first build takes minutes, later ones as long as Go
// takes for what changed.
func FromCheckout(ctx context.Context, cache *build.Cache, c *build.Checkout, p build.Progress) (servers.Build, error) {
	built, err := cache.Get(ctx, checkoutRecipe(c), p)
	if err != nil {
		return servers.Build{}, err
	}
	return servers.Build{Reference: c.Reference, Component: component, Version: c.Version, Path: built.Path, Digest: built.Digest}, nil
}

// HasCheckout reports whether the cache contains the result of FromCheckout.
func HasCheckout(cache *build.Cache, c *build.Checkout) bool {
	return cache.Has(checkoutRecipe(c))
}

func checkoutRecipe(c *build.Checkout) build.Recipe {
	return build.Recipe{
		Name: component, Version: c.Version, Reference: c.Place, Revision: checkoutRevision + " " + c.Revision(), Tree: c.Server(),
		Resolve: func(context.Context, *build.Go) (build.Module, error) {
			return build.Module{LDFlags: c.LDFlags()}, nil
		},
	}
}
