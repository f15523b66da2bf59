package builder

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// TypedClientPrefix begins the names of typed clients, before their version.
const TypedClientPrefix = "typed-client@"

// TypedClient makes the typed clients of a release, or of a checkout, once, however many
// runs ask for them.
func (b *Builder) TypedClient(ctx context.Context, version string) (typedclient.Build, error) {
	return once(b.memo, &b.typed, version, func() (typedclient.Build, error) {
		cache, err := b.cache.open()
		if err != nil {
			return typedclient.Build{}, err
		}
		work := b.config.Progress.Begin(TypedClientPrefix + version)
		defer work.End()
		if ref, ok := CheckoutOf(version); ok {
			c, err := b.checkouts.open(ctx, ref)
			if err != nil {
				return typedclient.Build{}, err
			}
			return typedclient.FromCheckout(ctx, cache, c, work)
		}
		return typedclient.Get(ctx, cache, version, work)
	})
}

// TypedClientOf makes the typed clients of a build. version is the release of their types;
// "": the build's own. It returns false for what no client-go of Kubernetes has types of.
// The reference server brings its own clients.
func (b *Builder) TypedClientOf(ctx context.Context, of servers.Build, version string) (clients typedclient.Build, ok bool, err error) {
	if of.Installs != nil || of.Aggregated != nil {
		return typedclient.Build{}, false, nil
	}
	if own, ok := ownClients(b.withClients(ctx, of)); ok {
		return own, true, nil
	}
	if version == "" {
		version = typesOf(of)
	}
	clients, err = b.TypedClient(ctx, version)
	return clients, err == nil, err
}

// ownClients are those that come with a server, in the same executable, as the
// reference server's do.
func ownClients(b servers.Build) (clients typedclient.Build, ok bool) {
	ref, err := servers.ParseReference(b.Reference)
	if err != nil || ref.Scheme != servers.SchemeTrain {
		return typedclient.Build{}, false
	}
	args := []string{"clients", "--release", ref.Version}
	if b.Subcommand != "" {
		args = append([]string{b.Subcommand}, args...)
	}
	return typedclient.Build{Version: b.Version, Path: b.Path, Digest: b.Digest, File: b.File, Args: args}, true
}

// typesOf names what a build's typed clients are built of: its version, or the checkout
// that the build itself is of.
func typesOf(b servers.Build) string {
	if _, ok := CheckoutOf(b.Reference); ok {
		return b.Reference
	}
	return b.Version
}

// withClients is, of an image of the reference server, the same release as it comes with
// skewsim, whose clients are run here; any other build itself. Where what comes with
// skewsim is of other releases, the image is returned, and its clients are made of
// what it publishes.
func (b *Builder) withClients(ctx context.Context, of servers.Build) servers.Build {
	if of.Image == "" || of.Component != frobberapiserver.InImages().Component {
		return of
	}
	release := frobberapiserver.Release(of.Version)
	own, err := b.Build(ctx, servers.Reference{Scheme: servers.SchemeTrain, Component: of.Component, Version: release})
	if err != nil {
		b.config.Progress.Note(fmt.Sprintf("the typed clients of %s are not those of %s@%s: %v", of.Reference, of.Component, release, err))
		return of
	}
	return own
}
