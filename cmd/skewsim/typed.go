package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
)

// typedBuilds makes the typed clients that the plan needs, one after the other:
// each takes all cores. Those that no client-go can be fetched for, such as of
// a build between two releases, are left out: the run approximates them, and
// says so. The reference server brings its own.
func (a *app) typedBuilds(ctx context.Context, c engine.ClientRoles, builds map[term.Role]servers.Build, say func(string)) (map[term.Role]typedclient.Build, error) {
	all := map[term.Role]typedclient.Build{}
	for _, role := range c.Roles {
		if builds[role].Installs != nil || builds[role].Aggregated != nil {
			continue // what it serves, no client-go of Kubernetes has types of
		}
		if own, ok := ownClients(a.withClients(ctx, builds[role])); ok {
			all[role] = own
			continue
		}
		version := typesOf(builds[role])
		if role == term.Older {
			version = c.Older
		}
		b, err := a.typedBuild(ctx, version)
		var request *servers.RequestError
		var lacks *gobuild.UnavailableError
		switch {
		case role == term.Older && errors.As(err, &request):
			return nil, usage(fmt.Errorf("releases.clients: %w", err)) // no server publishes what could stand in for them
		case errors.As(err, &request), errors.As(err, &lacks):
			say(fmt.Sprintf("the typed clients of %s cannot be built: %v; its published schema stands in for its types", builds[role].Reference, err))
		case err != nil:
			return nil, err
		default:
			all[role] = b
		}
	}
	return all, nil
}

// ownClients are those that come with a server, in the same executable, as the
// reference server's do.
func ownClients(b servers.Build) (clients typedclient.Build, ok bool) {
	ref, err := servers.ParseReference(b.Reference)
	if err != nil || ref.Scheme != servers.SchemeTrain {
		return typedclient.Build{}, false
	}
	return typedclient.Build{
		Version: b.Version, Path: b.Path, Digest: b.Digest, File: b.File, Args: []string{"clients", "--release", ref.Version},
	}, true
}

// typesOf names what a build's typed clients are built of: its version, or the checkout
// that it is of itself.
func typesOf(b servers.Build) string {
	if _, ok := checkoutOf(b.Reference); ok {
		return b.Reference
	}
	return b.Version
}

// typedBuild makes the typed clients of a release, or of a checkout, once, however many
// runs ask for them.
func (a *app) typedBuild(ctx context.Context, version string) (typedclient.Build, error) {
	if a.parent != nil {
		return a.parent.typedBuild(ctx, version)
	}
	return once(a, &a.typed, version, func() (typedclient.Build, error) { return a.typedBuildNow(ctx, version) })
}

func (a *app) typedBuildNow(ctx context.Context, version string) (typedclient.Build, error) {
	cache, err := a.cache()
	if err != nil {
		return typedclient.Build{}, err
	}
	progress := newBuilding(a.err, typedName+version)
	defer progress.done()
	if ref, ok := checkoutOf(version); ok {
		c, err := a.openCheckout(ctx, ref)
		if err != nil {
			return typedclient.Build{}, err
		}
		return typedclient.FromCheckout(ctx, cache, c, progress)
	}
	return typedclient.Get(ctx, cache, version, progress)
}

// typedName is how the typed clients of a release are called, before its version.
const typedName = "typed-client@"
