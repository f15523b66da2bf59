package builder

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// Config is what a builder needs from its caller.
type Config struct {
	// Progress is notified of what is built. May be nil.
	Progress Progress
	// Catalogue contains the files that references name within servers.WithinCatalogue.
	// Default: none.
	Catalogue fs.FS
	// Guard is the command that removes containers when this process ends; see package
	// container. Without it no container is run.
	Guard []string
	// OwnReferenceServer reports that this process's executable is the reference server when
	// its first argument is frobberapiserver.Subcommand. Default: an installed one is used.
	OwnReferenceServer bool
	// MakesReferenceServer makes the reference server's executable of the Go module of the
	// current directory, which requires skewsim, if it is not installed.
	MakesReferenceServer bool
	// FromSource builds releases of Kubernetes although somebody has built them: neither published
	// binaries nor those of $KUBEBUILDER_ASSETS are used.
	FromSource bool
	// AllowCharts has helm render charts that scenario files name. Default: they are refused with a
	// *ChartError.
	AllowCharts bool
}

// Builder makes builds.
type Builder struct {
	Files
	config    Config
	memo      *memo
	cache     *openCache
	checkouts *checkouts
	engine    *engine
	train     *train

	tellServer sync.Once // of the server that manifests are installed on

	built map[servers.Reference]servers.Build
	typed map[string]typedclient.Build // by version, or the reference of a checkout
	tags  map[string][]byte            // feature gates in the source of builds
	facts map[factsKey]*source.Facts   // what the source of builds says
}

// New returns a builder.
func New(c Config) *Builder {
	if c.Progress == nil {
		c.Progress = silent{}
	}
	if c.Catalogue == nil {
		c.Catalogue = embed.FS{} // which is empty
	}
	b := &Builder{Files: Files{Catalogue: c.Catalogue, charts: &charts{fromFiles: c.AllowCharts}}, config: c, memo: &memo{}, cache: &openCache{binaries: binariesOf(c)}, engine: &engine{guard: c.Guard}, train: &train{}}
	b.train.finder.Own = c.OwnReferenceServer
	if c.MakesReferenceServer {
		b.train.finder.Make = makeInModule
	}
	b.checkouts = &checkouts{making: &b.memo.making}
	return b
}

// Beside returns a builder that works at the same time as this one, without waiting for its
// builds. The two share the container engine.
func (b *Builder) Beside(p Progress) *Builder {
	c := b.config
	c.Progress = p
	other := New(c)
	other.engine = b.engine
	return other
}

// Close allows other processes to prune what the cache returned, and removes what is left of
// containers.
func (b *Builder) Close() error {
	b.cache.close()
	return b.engine.close()
}

// Build makes a build once, even for concurrent callers, and one build at a time. Errors in the
// reference are of fault.User; if the reference is only preferred, and neither it nor a
// substitute is available, the error is of fault.Unavailable.
func (b *Builder) Build(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	of, ok := kinds()[ref.Scheme]
	if !ok {
		return servers.Build{}, unknownScheme(ref)
	}
	return of.build(b, ctx, ref)
}

// buildRelease builds a release, or a substitute if the release is only preferred.
func (b *Builder) buildRelease(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	cache, err := b.cache.open()
	if err != nil {
		return servers.Build{}, err
	}
	work := b.config.Progress.Begin(ref.String())
	defer work.End()
	if !ref.Preferred {
		return kubeapiserver.Get(ctx, cache, ref.Version, work)
	}
	build, err := kubeapiserver.Prefer(ctx, cache, ref.Version, work)
	if kubeapiserver.Unavailable(err) {
		err = fault.Wrap(fault.Unavailable, fmt.Errorf("neither %s nor another patch of its minor is available; use other releases: %w", ref, err))
	}
	return build, err
}

// Check reports errors in references that are known before anything is built: manifests that
// cannot be read, and releases that the reference server does not have. If the reference
// server's executable is missing or does not answer, its build will fail instead.
func (b *Builder) Check(ctx context.Context, refs ...servers.Reference) error {
	if err := b.checkManifests(ctx, refs...); err != nil {
		return err
	}
	var named []string
	for _, ref := range refs {
		if ref.Scheme == servers.SchemeTrain {
			named = append(named, ref.Version)
		}
	}
	if len(named) == 0 {
		return nil
	}
	if releases := b.train.releases(ctx); releases != nil {
		return releases.Check(named...)
	}
	return nil
}

// Releases returns the releases of the reference server, or nil if its executable is missing or
// does not answer.
func (b *Builder) Releases(ctx context.Context) frobberapiserver.Train { return b.train.releases(ctx) }
