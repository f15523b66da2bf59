package builder

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/gatetags"
)

// GateTags reads the feature gates that the source of a build names of its fields, as JSON,
// once, however many runs ask for them; nil: nothing says where its source is.
func (b *Builder) GateTags(ctx context.Context, of servers.Build) ([]byte, error) {
	if of.Installs != nil { // what manifests define has no Go types
		return b.GateTags(ctx, of.Installs.Server)
	}
	key := of.Reference + " " + of.Version + " " + of.Substituted
	return once(b.memo, &b.tags, key, func() ([]byte, error) {
		modules := b.checkouts.typeModules(ctx, of)
		if len(modules) == 0 {
			return nil, nil
		}
		return gatetags.Get(ctx, besideBuilds("gatetags"), modules)
	})
}

// typeModules returns the modules that hold the types of a build's APIs; none if they are not
// known.
func (c *checkouts) typeModules(ctx context.Context, of servers.Build) []gatetags.Module {
	ref, err := servers.ParseReference(of.Reference)
	if err != nil {
		return nil
	}
	return kinds()[ref.Scheme].types(c, ctx, ref, of)
}

// Examples reads the objects that the source of a build has of its kinds, put into a
// namespace; nil if nothing says where its source is.
func (b *Builder) Examples(ctx context.Context, of servers.Build, namespace string) (examples.Objects, error) {
	ref, err := servers.ParseReference(of.Reference)
	if err != nil || of.Installs != nil || of.Aggregated != nil {
		return nil, nil
	}
	return kinds()[ref.Scheme].examples(b.checkouts, ctx, ref, of, namespace)
}
