package builder

import (
	"context"
	"regexp"

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

// release finds the versions whose source is published.
var release = regexp.MustCompile(`^v1\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// typeModules are the modules that hold the types of a build's APIs; none: nothing says
// which.
func (c *checkouts) typeModules(ctx context.Context, of servers.Build) []gatetags.Module {
	ref, err := servers.ParseReference(of.Reference)
	switch {
	case err != nil || ref.Scheme == servers.SchemeTrain:
		return nil
	case ref.Scheme == servers.SchemeModule:
		return []gatetags.Module{{Path: ref.Module, Version: ref.Version}}
	case ref.Scheme == servers.SchemeSource:
		is, err := c.open(ctx, ref)
		if err != nil {
			return nil // its build says why
		}
		return gatetags.OfCheckout(is.Folder())
	case release.MatchString(of.Version):
		return gatetags.OfRelease(of.Version, of.Substitutions())
	}
	return nil
}

// Examples reads the objects that the source of a build has of its kinds, put into a
// namespace; nil: nothing says where its source is.
func (b *Builder) Examples(ctx context.Context, of servers.Build, namespace string) (examples.Objects, error) {
	ref, err := servers.ParseReference(of.Reference)
	switch {
	case err != nil || of.Installs != nil || of.Aggregated != nil || ref.Scheme == servers.SchemeTrain || ref.Scheme == servers.SchemeModule:
		return nil, nil
	case ref.Scheme == servers.SchemeSource:
		c, err := b.checkouts.read(ctx, ref)
		if err != nil {
			return nil, nil // its build says why
		}
		return examples.Read(c.Folder(), namespace)
	case release.MatchString(of.Version):
		return examples.OfRelease(ctx, of.Version, namespace)
	}
	return nil, nil
}
