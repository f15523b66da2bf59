package kubeapiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// mainGo is upstream's cmd/kube-apiserver/apiserver.go.
const mainGo = `package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
`

// recipeRevision must be incremented with every change of resolve.
const recipeRevision = "1"

// kubernetes is the module of the kube-apiserver.
func kubernetes() build.Source { return build.Source{Path: "k8s.io/kubernetes"} }

// Get returns the kube-apiserver of a release, v1.36.3: from the cache, or as the cache's Binaries
// have it, or built from the Kubernetes Go module, which takes minutes. If a release cannot be
// fetched, the error names some that can. A minor release, v1.36, means its newest patch that
// is built, or else the newest that is available.
func Get(ctx context.Context, cache *build.Cache, version string, p build.Progress) (servers.Build, error) {
	if isMinor(version) {
		return newest(ctx, cache, version, p)
	}
	return get(ctx, cache, version, p)
}

func get(ctx context.Context, cache *build.Cache, version string, p build.Progress) (servers.Build, error) {
	reference := component + "@" + version
	if err := kubernetes().Check(ctx, version); err != nil {
		return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", reference, err)}
	}
	built, err := cache.Get(ctx, build.Recipe{
		Name: component, Version: version, Main: mainGo, Revision: recipeRevision,
		Verify: func(ctx context.Context, file string) error { return isRelease(ctx, file, version) },
		Resolve: func(ctx context.Context, tool *build.Go) (build.Module, error) {
			return resolve(ctx, tool, version)
		},
	}, p)
	var lacks *build.UnavailableError
	if errors.As(err, &lacks) {
		err = &servers.RequestError{Err: err}
	}
	if err != nil {
		return servers.Build{}, err
	}
	return servers.Build{
		Reference: reference, Component: component, Version: version, Path: built.Path, Digest: built.Digest,
		Substituted: strings.Join(built.Substituted, ", "), From: built.From,
	}, nil
}

// isRelease returns an error unless a file is the kube-apiserver of a release.
func isRelease(ctx context.Context, file, version string) error {
	is, err := askVersion(ctx, file)
	if err == nil && is != version {
		err = fmt.Errorf("is %s, want %s", is, version)
	}
	return err
}

// moduleInfo is a module proxy's .info file.
type moduleInfo struct {
	Time   time.Time
	Origin struct{ Hash string }
}

// resolve generates the module in which mainGo is built like upstream: with the dependencies of
// upstream's own go.mod, and, instead of each staging module of upstream's tree, the published
// one of the same release.
func resolve(ctx context.Context, tool *build.Go, version string) (build.Module, error) {
	d, err := kubernetes().Fetch(ctx, tool, version)
	if err != nil {
		return build.Module{}, err
	}
	upstream, err := build.ReadGoMod(ctx, tool, d)
	if err != nil {
		return build.Module{}, err
	}
	info, err := readInfo(d.Info)
	if err != nil {
		return build.Module{}, fmt.Errorf("module proxy's description of %s@%s: %w", kubernetes().Path, version, err)
	}
	return build.Module{
		GoMod: generate(upstream, version), Own: build.OwnModule(version),
		// The release's date rather than today's, so that two builds give the same binary.
		LDFlags: build.LDFlags(version, info.Origin.Hash, info.Time.UTC().Format(time.RFC3339)),
	}, nil
}

func readInfo(path string) (info moduleInfo, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(text, &info)
}

func generate(upstream build.GoMod, version string) string {
	var b strings.Builder
	b.WriteString(upstream.Begin("skewsim.invalid/kube-apiserver"))
	fmt.Fprintf(&b, "\nrequire %s %s\n\n", kubernetes().Path, version)
	for _, r := range upstream.Replace {
		if strings.HasPrefix(r.New.Path, "./staging/") {
			fmt.Fprintf(&b, "replace %s => %s %s\n", r.Old.Path, r.Old.Path, build.Source{Path: r.Old.Path, Staged: true}.Version(version))
		} else {
			fmt.Fprintf(&b, "replace %s %s => %s %s\n", r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
		}
	}
	return b.String()
}
