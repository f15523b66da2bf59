package aggregated

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	gobuilder "go/build"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/crd"
)

// recipeRevision must be incremented with every change of resolve.
const recipeRevision = "1"

// Get builds the API server of a reference's module as the adapter describes, or takes it from
// the cache. The server runs behind the kube-apiserver of build core. Get returns a
// *servers.RequestError for a version that cannot be fetched and for a module without that main
// package.
func Get(ctx context.Context, cache *build.Cache, ref servers.Reference, a Adapter, core servers.Build, p build.Progress) (servers.Build, error) {
	built, err := cache.Get(ctx, recipe(ref, a), p)
	var lacks *build.UnavailableError
	if errors.As(err, &lacks) {
		err = &servers.RequestError{Err: err}
	}
	if err != nil {
		return servers.Build{}, err
	}
	b := servers.Build{
		Reference: ref.String(), Component: a.Component, Version: ref.Version, Path: built.Path,
		Substituted: strings.Join(built.Substituted, ", "),
		Aggregated: &servers.Aggregation{
			Component: a.Component, File: ref.Adapter, Adapter: given(ref), AdapterDigest: a.Digest,
			Core: core, APIServices: a.APIServices, Flags: a.Flags, Names: a.Names, Globals: a.Globals,
		},
	}
	b.Digest, err = digest(built.Digest, b.Aggregated)
	return b, err
}

// given returns the adapter file as the user named it; "" if the scenario named it or nobody
// did.
func given(ref servers.Reference) string {
	if ref.AdapterWithin != "" {
		return ""
	}
	return ref.Adapter
}

// IsBuilt reports whether the cache contains the server.
func IsBuilt(cached []build.Built, ref servers.Reference, a Adapter) bool {
	return recipe(ref, a).IsAmong(cached)
}

func recipe(ref servers.Reference, a Adapter) build.Recipe {
	return build.Recipe{
		Name: a.Component, Reference: ref.String(), Version: strings.ReplaceAll(ref.Version, "/", "-"), Package: packageOf(ref, a), Revision: recipeRevision,
		Resolve: func(ctx context.Context, tool *build.Go) (build.Module, error) { return resolve(ctx, tool, ref, a) },
	}
}

// packageOf returns the import path of the main package.
func packageOf(ref servers.Reference, a Adapter) string { return path.Join(ref.Module, a.Package) }

// digest identifies the executable together with everything that it is started with.
func digest(executable string, a *servers.Aggregation) (string, error) {
	text, err := json.Marshal([]any{executable, a.Core.Digest, a.APIServices, a.Flags, a.Names, a.Globals})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// resolve generates a module that requires the reference's module at its version, so that the
// server gets the dependencies that it was released with.
func resolve(ctx context.Context, tool *build.Go, ref servers.Reference, a Adapter) (build.Module, error) {
	dir, err := crd.Fetch(ctx, tool, ref, nil)
	if err != nil {
		return build.Module{}, err
	}
	if err := checkMain(dir, ref, a); err != nil {
		return build.Module{}, &servers.RequestError{Err: err}
	}
	upstream, err := build.ReadGoMod(ctx, tool, build.Download{Path: ref.Module, Version: ref.Version, GoMod: filepath.Join(dir, "go.mod")})
	if err != nil {
		return build.Module{}, err
	}
	return build.Module{GoMod: generate(upstream, ref, a), Own: own(ref)}, nil
}

// own reports whether a module is the reference's own, or one that Kubernetes publishes at the
// same version. Only a patch of the same minor may substitute for those.
func own(ref servers.Reference) func(module.Version) bool {
	return func(m module.Version) bool {
		return m.Path == ref.Module || strings.HasPrefix(m.Path, "k8s.io/") && strings.HasPrefix(ref.Module, "k8s.io/") && m.Version == ref.Version
	}
}

// generate copies the parts of a dependency's go.mod that the go command ignores: the language
// version, the runtime's settings and the replace directives. A module that is replaced by a
// folder of the same tree is required in its published version.
func generate(upstream build.GoMod, ref servers.Reference, a Adapter) string {
	var b strings.Builder
	b.WriteString(upstream.Begin("skewsim.invalid/" + a.Component))
	fmt.Fprintf(&b, "\nrequire %s %s\n\n", ref.Module, ref.Version)
	for _, r := range upstream.Replace {
		if r.New.Version != "" {
			fmt.Fprintf(&b, "replace %s %s => %s %s\n", r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
		}
	}
	return b.String()
}

// checkMain returns an error if the module has no such main package, and lists those that it
// has.
func checkMain(dir string, ref servers.Reference, a Adapter) error {
	p, err := gobuilder.ImportDir(filepath.Join(dir, filepath.FromSlash(a.Package)), 0)
	if err == nil && p.IsCommand() {
		return nil
	}
	why := "it contains no Go package"
	if err == nil {
		why = fmt.Sprintf("its package %s is not a program", p.Name)
	}
	way := "no package of the module is a program, so there is no API server to start"
	if commands := mainPackages(dir); len(commands) > 0 {
		way = "name another in package of the adapter's file: " + strings.Join(commands, ", ")
	}
	return fmt.Errorf("%s: package %q: %s; %s", ref, a.Package, why, way)
}

// maxPackages is the number of packages that an error names.
const maxPackages = 8

// mainPackages returns the folders of a module that contain programs, nearest to the root
// first.
func mainPackages(dir string) (all []string) {
	_ = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil
		case slices.Contains([]string{"vendor", "testdata", "hack", "third_party"}, d.Name()):
			return filepath.SkipDir
		}
		if p, err := gobuilder.ImportDir(at, 0); err == nil && p.IsCommand() {
			if below, err := filepath.Rel(dir, at); err == nil {
				all = append(all, filepath.ToSlash(below))
			}
		}
		return nil
	})
	depth := func(at string) int { return strings.Count(at, "/") }
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(depth(a), depth(b)) })
	return all[:min(len(all), maxPackages)]
}
