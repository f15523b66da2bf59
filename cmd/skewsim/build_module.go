package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/sim/engine"
)

// buildModule makes a build of a Go module's API server, and the kube-apiserver that it
// leans on.
func (a *app) buildModule(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	adapter, err := readAdapter(ref)
	if err != nil {
		return servers.Build{}, usage(err)
	}
	core, err := a.serverOf(ctx, adapter.Behind)
	if err != nil {
		return servers.Build{}, err
	}
	return once(a, &a.built, ref, func() (servers.Build, error) {
		cache, err := a.cache()
		if err != nil {
			return servers.Build{}, err
		}
		progress := newBuilding(a.err, ref.String())
		defer progress.done()
		return aggregated.Get(ctx, cache, ref, adapter, core, progress)
	})
}

// registerAdapter registers the flag for an adapter's file.
func registerAdapter(flags *pflag.FlagSet, adapter *string) {
	flags.StringVar(adapter, "adapter", "", "of builds that are named as module:MODULE@VERSION, the `file` that says how their server is started")
}

// adaptsAny refuses an adapter that is for none of the builds of these names. Names that
// are no references are told of elsewhere.
func adaptsAny(adapter string, names []string) error {
	var refs []*servers.Reference
	for _, name := range names {
		if ref, err := servers.ParseReference(name); err == nil {
			refs = append(refs, &ref)
		}
	}
	return engine.Adapt(adapter, refs...)
}

// mostAdapter bounds what is read of an adapter's file: what is longer is told as such.
const mostAdapter = 1 << 20

// readAdapter reads the adapter of a reference; without a file it is what most servers
// need.
func readAdapter(ref servers.Reference) (aggregated.Adapter, error) {
	if ref.Adapter == "" {
		return aggregated.Default(ref.Module), nil
	}
	name := ref.Adapter
	if ref.AdapterWithin != "" {
		if !fs.ValidPath(path.Clean(filepath.ToSlash(name))) {
			return aggregated.Adapter{}, fmt.Errorf("adapter %q: leads out of the folder of the scenario that names it: name a file in it", name)
		}
		name = path.Join(strings.TrimPrefix(ref.AdapterWithin, servers.WithinCatalogue), ref.Adapter)
	}
	data, err := adapterFile(ref)
	switch cause := (*fs.PathError)(nil); {
	case errors.Is(err, fs.ErrNotExist):
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: no such file; leave the adapter out if the server needs none", name)
	case errors.As(err, &cause):
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: %w", name, cause.Err)
	case err != nil:
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: %w", name, err)
	}
	return aggregated.Read(name, data)
}

// adapterFile reads a file of the catalogue, one in the folder of the scenario that names
// it, which it cannot lead out of, or one that the user names.
func adapterFile(ref servers.Reference) ([]byte, error) {
	var folder fs.FS
	name := filepath.ToSlash(ref.Adapter)
	switch in, catalogued := strings.CutPrefix(ref.AdapterWithin, servers.WithinCatalogue); {
	case catalogued:
		below, err := fs.Sub(scenarios.CatalogueFS(), in)
		if err != nil {
			return nil, err
		}
		folder = below
	case ref.AdapterWithin != "":
		root, err := os.OpenRoot(ref.AdapterWithin)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		folder = root.FS()
	default:
		folder, name = os.DirFS(filepath.Dir(ref.Adapter)), filepath.Base(ref.Adapter)
	}
	info, err := fs.Stat(folder, path.Clean(name))
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := folder.Open(path.Clean(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostAdapter))
}

// checkAdapters tells what is wrong with the adapters of references, of one whose component
// the scenario is not of, and of flags that one has another name for, before anything is
// built.
func checkAdapters(s *scenarios.Scenario, refs ...servers.Reference) error {
	var problems []error
	for i, ref := range refs {
		if ref.Scheme != servers.SchemeModule {
			continue
		}
		adapter, err := readAdapter(ref)
		if err == nil && adapter.Component != s.Releases.Of {
			err = fmt.Errorf("%s: is a %s, and the scenario of %s: correct component in the adapter's file, or releases.of", ref, adapter.Component, s.Releases.Of)
		}
		if err == nil {
			err = checkRenamed(adapter, ref, flagsAt(s, refs, i))
		}
		if err != nil && !slices.ContainsFunc(problems, func(other error) bool { return other.Error() == err.Error() }) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// flagsAt are those that the servers of the reference at i are given by the scenario, and by
// the command line.
func flagsAt(s *scenarios.Scenario, refs []servers.Reference, i int) []string {
	switch {
	case len(refs) > 2 && len(s.Releases.Through) == len(refs):
		return s.Releases.Through[i].Flags
	case len(refs) > 2:
		return nil
	case i == 0:
		return s.Old.Flags
	}
	return s.New.Flags
}

// checkRenamed tells of flags that no server may be given, under the names that the adapter
// has for them. Under their own they were refused before.
func checkRenamed(a aggregated.Adapter, ref servers.Reference, flags []string) error {
	var problems []error
	for _, flag := range flags {
		if why := a.Server().Against(flag); why != "" && aggregated.Component().Against(flag) == "" {
			problems = append(problems, fmt.Errorf("%s: flags: %s", ref, why))
		}
	}
	return errors.Join(problems...)
}

// isModuleBuilt tells whether a module's server is built, and what it leans on.
func (a *app) isModuleBuilt(ctx context.Context, ref servers.Reference) bool {
	adapter, err := readAdapter(ref)
	if err != nil || !a.isServerBuilt(ctx, adapter.Behind) {
		return false
	}
	built, err := cached()
	return err == nil && aggregated.IsBuilt(built, ref, adapter)
}
