package kubeapiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
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

// recipeRevision is raised with every change of resolve.
const recipeRevision = "1"

// kubernetes is the module that a kube-apiserver is built from.
const kubernetes = "k8s.io/kubernetes"

// unknownCommit stands for the commit of a release whose module does not tell
// it: a valid hash that nobody takes for a real one.
const unknownCommit = "0000000000000000000000000000000000000000"

// Get builds the kube-apiserver of a release, v1.36.3, from the Kubernetes Go
// module, or takes it from the cache. The first build of a release takes
// minutes. A release that cannot be fetched is an error that names some that
// can.
func Get(ctx context.Context, cache *gobuild.Cache, version string, p gobuild.Progress) (servers.Build, error) {
	reference := component + "@" + version
	if err := checkVersion(ctx, version); err != nil {
		return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", reference, err)}
	}
	built, err := cache.Get(ctx, gobuild.Recipe{
		Name: component, Version: version, Main: mainGo, Revision: recipeRevision,
		Resolve: func(ctx context.Context, tool *gobuild.Go) (gobuild.Module, error) {
			return resolve(ctx, tool, version)
		},
	}, p)
	if err != nil {
		return servers.Build{}, err
	}
	return servers.Build{Reference: reference, Component: component, Version: version, Path: built.Path, Digest: built.Digest}, nil
}

// wellFormed is vMAJOR.MINOR.PATCH, with or without a pre-release.
const wellFormed = `^v1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$`

func checkVersion(ctx context.Context, version string) error {
	if regexp.MustCompile(wellFormed).MatchString(version) {
		return nil
	}
	return fmt.Errorf("version %q: want vX.Y.Z%s", version, hint(ctx, nil, version))
}

// download is what `go mod download -json` prints.
type download struct {
	Info, GoMod, Error string
}

// moduleInfo is a module proxy's .info file.
type moduleInfo struct {
	Time   time.Time
	Origin struct{ Hash string }
}

// resolve generates the module in which mainGo is built as upstream builds it:
// with the dependencies of upstream's own go.mod, and for each module that
// upstream keeps in its own tree the published one of the same release.
func resolve(ctx context.Context, tool *gobuild.Go, version string) (gobuild.Module, error) {
	d, err := fetch(ctx, tool, version)
	if err != nil {
		return gobuild.Module{}, err
	}
	text, err := tool.Output(ctx, "mod", "edit", "-json", d.GoMod)
	if err != nil {
		return gobuild.Module{}, err
	}
	var upstream goMod
	if err := json.Unmarshal([]byte(text), &upstream); err != nil {
		return gobuild.Module{}, fmt.Errorf("go.mod of %s@%s: %w", kubernetes, version, err)
	}
	info, err := readInfo(d.Info)
	if err != nil {
		return gobuild.Module{}, fmt.Errorf("module proxy's description of %s@%s: %w", kubernetes, version, err)
	}
	return gobuild.Module{GoMod: generate(upstream, version), LDFlags: ldFlags(info, version)}, nil
}

// fetch downloads the Kubernetes module.
func fetch(ctx context.Context, tool *gobuild.Go, version string) (download, error) {
	text, err := tool.Output(ctx, "mod", "download", "-json", kubernetes+"@"+version)
	var d download
	if json.Unmarshal([]byte(text), &d) != nil || d.Error == "" {
		return d, err
	}
	if explained := gobuild.Explain("mod download", d.Error); explained != nil {
		return d, explained
	}
	return d, &servers.RequestError{Err: fmt.Errorf("cannot be fetched: %s%s", oneLine(d.Error), hint(ctx, tool, version))}
}

func readInfo(path string) (info moduleInfo, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(text, &info)
}

// goMod is the part of `go mod edit -json` that is taken over.
type goMod struct {
	Go      string
	Godebug []struct{ Key, Value string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

func generate(upstream goMod, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module skewsim.invalid/kube-apiserver\n\ngo %s\n\n", upstream.Go)
	for _, d := range upstream.Godebug {
		fmt.Fprintf(&b, "godebug %s=%s\n", d.Key, d.Value)
	}
	fmt.Fprintf(&b, "\nrequire %s %s\n\n", kubernetes, version)
	// v1.36.3 of Kubernetes publishes its own modules as v0.36.3.
	staged := "v0." + strings.TrimPrefix(version, "v1.")
	for _, r := range upstream.Replace {
		if strings.HasPrefix(r.New.Path, "./staging/") {
			fmt.Fprintf(&b, "replace %s => %s %s\n", r.Old.Path, r.Old.Path, staged)
		} else {
			fmt.Fprintf(&b, "replace %s %s => %s %s\n", r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
		}
	}
	return b.String()
}

// ldFlags sets what upstream's build sets, in both packages it sets it in, so
// that /version and the server's own user agent say the release's name.
func ldFlags(info moduleInfo, version string) []string {
	commit := info.Origin.Hash
	if commit == "" {
		commit = unknownCommit
	}
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "v1."), ".")
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, set := range []string{
			"gitVersion=" + version, "gitMajor=1", "gitMinor=" + minor,
			"gitCommit=" + commit, "gitTreeState=clean",
			// The release's date, not today's: two builds give the same binary.
			"buildDate=" + info.Time.UTC().Format(time.RFC3339),
		} {
			flags = append(flags, "-X", pkg+"."+set)
		}
	}
	return flags
}

func oneLine(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }
