package typedclient

import (
	"context"
	"embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// component names the program in the cache, and in errors.
const component = "typed-client"

// recipeRevision is raised with every change of resolve.
const recipeRevision = "1"

// oldestMinor is the first whose client-go has the schema of its apply
// configurations where other modules can reach it.
const oldestMinor = 31

// Build is the program of one release.
type Build struct {
	Version string   // what the program must say of itself: v1.36.3
	Path    string   // of the program
	Args    []string // that it is run with; default: none
	Digest  string   // sha256 of the program, in hex
	// File is the program as it was when Digest was taken: a changed one is not started.
	// Default: nobody changes it.
	File servers.File
	// Substituted are the modules of which it has another version than the release's
	// client-go asks for, each as "PATH VERSION -> VERSION". Default: none.
	Substituted []string
}

// Get builds the typed clients of a release of Kubernetes, v1.36.3, from its
// client-go, or takes them from the cache. The first build of a release takes a
// minute or two. A release that cannot be fetched, or is older than 1.31, is a
// *servers.RequestError that names a way out. The default for p is silence.
func Get(ctx context.Context, cache *build.Cache, version string, p build.Progress) (Build, error) {
	if err := check(ctx, version); err != nil {
		return Build{}, &servers.RequestError{Err: fmt.Errorf("%s@%s: %w", component, version, err)}
	}
	r, err := recipe(version)
	if err != nil {
		return Build{}, fmt.Errorf("%s@%s: %w", component, version, err)
	}
	built, err := cache.Get(ctx, r, p)
	if err != nil {
		return Build{}, err
	}
	return Build{Version: version, Path: built.Path, Digest: built.Digest, Substituted: built.Substituted}, nil
}

func check(ctx context.Context, version string) error {
	if err := clientGo().Check(ctx, version); err != nil {
		return err
	}
	return recent(version)
}

// recent refuses releases whose typed clients cannot be built.
func recent(version string) error {
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "v1."), ".")
	if n, err := strconv.Atoi(minor); err != nil || n < oldestMinor {
		return fmt.Errorf("version %q: typed clients can be built of v1.%d.0 and later", version, oldestMinor)
	}
	return nil
}

// clientGo is the module that typed clients are made of.
func clientGo() build.Source { return build.Source{Path: "k8s.io/client-go", Staged: true} }

// sources are what the program is built from: main.go, and the package that it
// is the main function of.
//
//go:embed program/main.go program/doc.go program/frame.go program/request.go program/serve.go program/clients.go program/apply.go
var sources embed.FS

func recipe(version string) (build.Recipe, error) {
	files, err := programFiles()
	if err != nil {
		return build.Recipe{}, err
	}
	main := files["main.go"]
	delete(files, "main.go")
	return build.Recipe{
		Name: component, Version: version, Revision: recipeRevision, Main: main, Files: files,
		Resolve: func(ctx context.Context, tool *build.Go) (build.Module, error) {
			return resolve(ctx, tool, version)
		},
	}, nil
}

// programFiles are the texts of the program's files by name, all of one package
// main: where they lie, main.go must not be built, and the others belong to
// package program.
func programFiles() (map[string]string, error) {
	entries, err := sources.ReadDir("program")
	if err != nil {
		return nil, err
	}
	clause := regexp.MustCompile(`(?m)^package program$`)
	files := map[string]string{}
	for _, e := range entries {
		text, err := sources.ReadFile("program/" + e.Name())
		if err != nil {
			return nil, err
		}
		files[e.Name()] = clause.ReplaceAllString(strings.TrimPrefix(string(text), "//go:build ignore\n\n"), "package main")
	}
	return files, nil
}

// resolve generates the module: the release's three modules, and with them
// everything else at the versions that client-go itself was released with.
func resolve(ctx context.Context, tool *build.Go, version string) (build.Module, error) {
	var require strings.Builder
	for _, path := range []string{"k8s.io/api", "k8s.io/apimachinery"} {
		s := build.Source{Path: path, Staged: true}
		// client-go asks for it; fetched by name, its absence has a way out.
		if _, err := s.Fetch(ctx, tool, version); err != nil {
			return build.Module{}, err
		}
		fmt.Fprintf(&require, "require %s %s\n", s.Path, s.Version(version))
	}
	d, err := clientGo().Fetch(ctx, tool, version)
	if err != nil {
		return build.Module{}, err
	}
	upstream, err := build.ReadGoMod(ctx, tool, d)
	if err != nil {
		return build.Module{}, err
	}
	fmt.Fprintf(&require, "require %s %s\n", clientGo().Path, clientGo().Version(version))
	return build.Module{GoMod: upstream.Begin("skewsim.invalid/typed-client") + "\n" + require.String(), Own: build.OwnModule(version)}, nil
}
