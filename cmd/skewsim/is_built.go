package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
)

// isBuilt tells whether a build is there already.
func (a *app) isBuilt(ctx context.Context, ref servers.Reference) bool {
	switch ref.Scheme {
	case servers.SchemeManifests:
		return ref.Module == "" && a.isServerBuilt(ctx, ref.Manifests.Server)
	case servers.SchemeSource:
		return a.isSourceBuilt(ctx, ref)
	case servers.SchemeImage:
		return false // it may have to be pulled, and is asked for its version in a container
	case servers.SchemeModule:
		return a.isModuleBuilt(ctx, ref)
	case servers.SchemeRelease:
		built, err := cached()
		return err == nil && slices.ContainsFunc(built, func(b gobuild.Built) bool { return reference(b) == ref.String() })
	}
	return true
}

// isServerBuilt tells whether the kube-apiserver is there that something leans on, which
// is the newest that is built where none is named.
func (a *app) isServerBuilt(ctx context.Context, server string) bool {
	on, err := servers.ParseReference(cmp.Or(server, newestServer()))
	return err == nil && a.isBuilt(ctx, on)
}
