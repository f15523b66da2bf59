package builder

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/source"
)

// GateTags reads the feature gates that the source of a build names of its fields, as JSON,
// once, however many runs ask for them; nil: nothing says where its source is.
func (b *Builder) GateTags(ctx context.Context, of servers.Build) ([]byte, error) {
	if of.Installs != nil { // what manifests define has no Go types
		return b.GateTags(ctx, of.Installs.Server)
	}
	return once(b.memo, &b.tags, sourceKey(of), func() ([]byte, error) {
		_, modules := b.checkouts.sourceOf(ctx, of)
		if len(modules.Types) == 0 {
			return nil, nil
		}
		return source.GetTags(ctx, besideBuilds("source"), modules)
	})
}

// Facts reads what the source of a build says beside its OpenAPI, once; false: its source is
// not at hand. Executables and images have none, for they may be built from other source than
// the release whose version they report; what manifests define has no Go source.
func (b *Builder) Facts(ctx context.Context, of servers.Build) (source.Facts, bool, error) {
	if of.Installs != nil {
		return source.Facts{}, false, nil
	}
	facts, err := once(b.memo, &b.facts, factsKey(sourceKey(of)), func() (*source.Facts, error) {
		kind, modules := b.checkouts.sourceOf(ctx, of)
		if !kind.isOwnSource || len(modules.Types) == 0 {
			return nil, nil
		}
		facts, err := source.Get(ctx, besideBuilds("source"), modules)
		return &facts, err
	})
	if err != nil || facts == nil {
		return source.Facts{}, false, err
	}
	return *facts, true, nil
}

// sourceKey identifies the source of a build.
func sourceKey(of servers.Build) string {
	return of.Reference + " " + of.Version + " " + of.Substituted
}

// factsKey is a sourceKey of its own type: what could not be read of all source does not fail
// those who need the tags alone.
type factsKey string

// sourceOf returns the modules with the source of a build; none if they are not known.
func (c *checkouts) sourceOf(ctx context.Context, of servers.Build) (kind, source.Modules) {
	ref, err := servers.ParseReference(of.Reference)
	if err != nil {
		return kind{}, source.Modules{}
	}
	k := kinds()[ref.Scheme]
	return k, k.source(c, ctx, ref, of)
}

// Examples reads the objects that the source of a build has of its kinds, put into a namespace;
// none if nothing says where its source is.
func (b *Builder) Examples(ctx context.Context, of servers.Build, namespace string) (examples.All, error) {
	ref, err := servers.ParseReference(of.Reference)
	if err != nil || of.Installs != nil || of.Aggregated != nil {
		return examples.All{}, nil
	}
	return kinds()[ref.Scheme].examples(b.checkouts, ctx, ref, of, namespace)
}

// Serialized reads the objects with every field as the source of a build stores them; none if the
// source is not at hand, or the server may be built from other source.
func Serialized(ctx context.Context, b *Builder, of servers.Build) (map[string]examples.Serialized, error) {
	ref, err := servers.ParseReference(of.Reference)
	if err != nil || of.Installs != nil || of.Aggregated != nil {
		return nil, nil
	}
	read := kinds()[ref.Scheme].serialized
	if read == nil {
		return nil, nil
	}
	return read(b.checkouts, ctx, ref, of)
}
