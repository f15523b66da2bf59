package builder

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// buildCheckout makes a build of a checkout.
func (b *Builder) buildCheckout(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	cache, err := b.cache.open()
	if err != nil {
		return servers.Build{}, err
	}
	work := b.config.Progress.Begin(ref.String())
	defer work.End()
	c, err := b.checkouts.open(ctx, ref)
	if err != nil {
		return servers.Build{}, err
	}
	return kubeapiserver.FromCheckout(ctx, cache, c, work)
}

// checkouts are those that were asked for, as they were then.
type checkouts struct {
	making *sync.Mutex // of what is made just now
	opened map[servers.Reference]*build.Checkout
}

// open reads a checkout once, so that its server and its clients are built of the same. The
// caller holds making.
func (c *checkouts) open(ctx context.Context, ref servers.Reference) (*build.Checkout, error) {
	if is, ok := c.opened[ref]; ok {
		return is, nil
	}
	is, err := build.OpenCheckout(ctx, ref.Path)
	if err == nil {
		c.opened = with(c.opened, ref, is)
	}
	return is, err
}

// read is open for callers that make nothing.
func (c *checkouts) read(ctx context.Context, ref servers.Reference) (*build.Checkout, error) {
	c.making.Lock()
	defer c.making.Unlock()
	return c.open(ctx, ref)
}

// isCheckoutBuilt reports whether a checkout is built as it is now.
func (b *Builder) isCheckoutBuilt(ctx context.Context, ref servers.Reference) bool {
	c, err := b.checkouts.read(ctx, ref)
	if err != nil {
		return false // its build says why
	}
	cache, err := b.cache.open()
	return err == nil && kubeapiserver.HasCheckout(cache, c)
}

// CheckoutOf reports whether text is a reference to a checkout, and which.
func CheckoutOf(text string) (servers.Reference, bool) {
	ref, err := servers.ParseReference(text)
	return ref, err == nil && ref.Scheme == servers.SchemeSource
}
