package builder

import (
	"context"
	"fmt"
	"regexp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/source"
)

// kind is how builds of one scheme are made, and where their source is.
type kind struct {
	// build makes the build.
	build func(*Builder, context.Context, servers.Reference) (servers.Build, error)
	// isBuilt reports whether build returns without building or pulling anything.
	isBuilt func(*Builder, context.Context, servers.Reference) bool
	// source returns the modules with the source of a build; none if they are not known.
	source func(*checkouts, context.Context, servers.Reference, servers.Build) source.Modules
	// isOwnSource reports whether the server is built from that source. Of an executable or an
	// image only the version is known, and it may be built from other source.
	isOwnSource bool
	// examples reads the objects in the source of a build, put into a namespace; none if its
	// source is not known.
	examples func(*checkouts, context.Context, servers.Reference, servers.Build, string) (examples.All, error)
	// serialized reads the objects as that source stores them; nil: they are not at hand, or the
	// server may be built from other source.
	serialized func(*checkouts, context.Context, servers.Reference, servers.Build) (map[string]examples.Serialized, error)
}

// kinds has one row per scheme.
func kinds() map[servers.Scheme]kind {
	return map[servers.Scheme]kind{
		servers.SchemeRelease:   {buildOnce((*Builder).buildRelease), isReleaseBuilt, publishedSource, true, publishedExamples, publishedBytes},
		servers.SchemePath:      {buildOnce(buildPath), needsNothing, publishedSource, false, publishedExamples, nil},
		servers.SchemeTrain:     {buildOnce(buildTrain), isTrainBuilt, noSource, false, noExamples, nil},
		servers.SchemeImage:     {buildOnce(buildImage), neverBuilt, publishedSource, false, publishedExamples, nil},
		servers.SchemeSource:    {buildOnce((*Builder).buildCheckout), (*Builder).isCheckoutBuilt, (*checkouts).source, true, (*checkouts).examples, (*checkouts).serialized},
		servers.SchemeModule:    {(*Builder).buildModule, (*Builder).isModuleBuilt, moduleSource, true, noExamples, nil},
		servers.SchemeManifests: {(*Builder).buildManifests, isManifestsServerBuilt, noSource, false, noExamples, nil},
	}
}

// unknownScheme is the error of a scheme without a row.
func unknownScheme(ref servers.Reference) error {
	return fmt.Errorf("%s: no builder for references of scheme %q", ref, ref.Scheme)
}

// buildOnce returns a function that checks the reference and calls make once for all callers.
// Kinds that build an underlying server first do without it: that server is built by itself.
func buildOnce(make func(*Builder, context.Context, servers.Reference) (servers.Build, error)) func(*Builder, context.Context, servers.Reference) (servers.Build, error) {
	return func(b *Builder, ctx context.Context, ref servers.Reference) (servers.Build, error) {
		return once(b.memo, &b.built, ref, func() (servers.Build, error) {
			if err := b.Check(ctx, ref); err != nil {
				return servers.Build{}, fault.ByUser(err)
			}
			return make(b, ctx, ref)
		})
	}
}

func buildPath(_ *Builder, ctx context.Context, ref servers.Reference) (servers.Build, error) {
	return kubeapiserver.FromPath(ctx, ref.Path)
}

func buildTrain(b *Builder, ctx context.Context, ref servers.Reference) (servers.Build, error) {
	return b.train.finder.Get(ctx, ref.Version)
}

func isTrainBuilt(b *Builder, _ context.Context, _ servers.Reference) bool {
	return b.train.finder.Own || b.train.finder.Make == nil || b.train.has.Load() || frobberapiserver.Installed()
}

func buildImage(b *Builder, ctx context.Context, ref servers.Reference) (servers.Build, error) {
	return b.engine.build(ctx, ref, b.pulling(ref.Path))
}

// needsNothing is isBuilt of an executable that exists.
func needsNothing(*Builder, context.Context, servers.Reference) bool { return true }

// neverBuilt is isBuilt of an image: it may have to be pulled, and a container has to report its
// version.
func neverBuilt(*Builder, context.Context, servers.Reference) bool { return false }

// published matches the versions whose source is published.
var published = regexp.MustCompile(`^v1\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

func publishedSource(_ *checkouts, _ context.Context, _ servers.Reference, of servers.Build) source.Modules {
	if !published.MatchString(of.Version) {
		return source.Modules{}
	}
	return source.OfRelease(of.Version, of.Substitutions())
}

func publishedExamples(_ *checkouts, ctx context.Context, _ servers.Reference, of servers.Build, namespace string) (examples.All, error) {
	if !published.MatchString(of.Version) {
		return examples.All{}, nil
	}
	return examples.OfRelease(ctx, of.Version, namespace)
}

func publishedBytes(_ *checkouts, ctx context.Context, _ servers.Reference, of servers.Build) (map[string]examples.Serialized, error) {
	if !published.MatchString(of.Version) {
		return nil, nil
	}
	return examples.SerializedOfRelease(ctx, of.Version)
}

func moduleSource(_ *checkouts, _ context.Context, ref servers.Reference, _ servers.Build) source.Modules {
	return source.OfModule(ref.Module, ref.Version)
}

func noSource(*checkouts, context.Context, servers.Reference, servers.Build) source.Modules {
	return source.Modules{}
}

func noExamples(*checkouts, context.Context, servers.Reference, servers.Build, string) (examples.All, error) {
	return examples.All{}, nil
}

// source returns the modules of a checkout. The caller holds making.
func (c *checkouts) source(ctx context.Context, ref servers.Reference, _ servers.Build) source.Modules {
	is, err := c.open(ctx, ref)
	if err != nil {
		return source.Modules{} // building it reports the error
	}
	return source.OfCheckout(is.Folder())
}

func (c *checkouts) examples(ctx context.Context, ref servers.Reference, _ servers.Build, namespace string) (examples.All, error) {
	is, err := c.read(ctx, ref)
	if err != nil {
		return examples.All{}, nil // building it reports the error
	}
	return examples.ReadAll(is.Folder(), namespace)
}

func (c *checkouts) serialized(ctx context.Context, ref servers.Reference, _ servers.Build) (map[string]examples.Serialized, error) {
	is, err := c.read(ctx, ref)
	if err != nil {
		return nil, nil // building it reports the error
	}
	return examples.SerializedOfCheckout(is.Folder()), nil
}
