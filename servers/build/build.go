package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/skewsim/skewsim/servers"
)

// mainGo is upstream's cmd/kubectl/kubectl.go.
const mainGo = `package main

import (
	"os"

	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	// The level of logging is needed before the flags are parsed.
	logs.GlogSetter(cmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
`

const (
	// component names the program in the cache, and in errors.
	component = "kubectl"
	// recipeRevision is raised with every change of resolve.
	recipeRevision = "1"
)

// Kubectl is the kubectl of one release.
type Kubectl struct {
	Version string // of Kubernetes: v1.37.0
	Path    string // of the executable
	Digest  string // sha256 of it, in hex
}

// source is the module that kubectl is built from.
func source() Source { return Source{Path: "k8s.io/kubectl", Staged: true} }

// GetKubectl builds the kubectl of a release of Kubernetes, v1.37.0, from its Go
// module, or takes it from the cache. The first build of a release takes a
// minute or two. A release that cannot be fetched is a *servers.RequestError
// that names some that can. The default for p is silence.
func GetKubectl(ctx context.Context, cache *Cache, version string, p Progress) (Kubectl, error) {
	if err := source().Check(ctx, version); err != nil {
		return Kubectl{}, &servers.RequestError{Err: fmt.Errorf("%s@%s: %w", component, version, err)}
	}
	built, err := cache.Get(ctx, Recipe{
		Name: component, Version: version, Main: mainGo, Revision: recipeRevision,
		Verify: func(ctx context.Context, file string) error { return isRelease(ctx, file, version) },
		Resolve: func(ctx context.Context, tool *Go) (Module, error) {
			return resolve(ctx, tool, version)
		},
	}, p)
	if err != nil {
		return Kubectl{}, err
	}
	return Kubectl{Version: version, Path: built.Path, Digest: built.Digest}, nil
}

// isRelease returns an error unless a file is the kubectl of a release.
func isRelease(ctx context.Context, file, version string) error {
	out, err := exec.CommandContext(ctx, file, "version", "--client", "--output", "json").Output()
	if err != nil {
		return fmt.Errorf("version --client: %w", err)
	}
	var says struct {
		ClientVersion struct{ GitVersion string }
	}
	if err := json.Unmarshal(out, &says); err != nil || says.ClientVersion.GitVersion != version {
		return fmt.Errorf("is kubectl %q, want %s", says.ClientVersion.GitVersion, version)
	}
	return nil
}

// resolve generates the module in which mainGo is built: kubectl's own, and with
// it everything else at the versions that it was released with.
func resolve(ctx context.Context, tool *Go, version string) (Module, error) {
	d, err := source().Fetch(ctx, tool, version)
	if err != nil {
		return Module{}, err
	}
	upstream, err := ReadGoMod(ctx, tool, d)
	if err != nil {
		return Module{}, err
	}
	goMod := upstream.Begin("skewsim.invalid/kubectl") + fmt.Sprintf("\nrequire %s %s\n", source().Path, source().Version(version))
	return Module{GoMod: goMod, LDFlags: LDFlags(version, "", ""), Own: OwnModule(version)}, nil
}
