package builder

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// defaultServer is the server for manifests if no kube-apiserver is built yet.
const defaultServer = "kube-apiserver@v1.37.0"

// olderServers returns the servers to try if defaultServer is not available.
func olderServers() []string {
	return []string{"kube-apiserver@v1.36", "kube-apiserver@v1.35", "kube-apiserver@v1.34"}
}

// underlyingServer builds the kube-apiserver that manifests are installed on, or that another
// server depends on: the named one, or else the newest that is built, or else one that is there
// already.
func (b *Builder) underlyingServer(ctx context.Context, name string) (build servers.Build, err error) {
	named := append([]string{newestServer()}, olderServers()...)
	if name != "" {
		named = []string{name}
	} else if dir := emptyAssets(); dir != "" && !b.isUnderlyingBuilt(ctx, "") {
		b.tellServer.Do(func() {
			b.config.Progress.Note(fmt.Sprintf("$%s is %s, which has no kube-apiserver that this user can execute: a release is built instead", assets, dir))
		})
	}
	for _, text := range named {
		server, problem := servers.ParseReference(text)
		if problem != nil {
			return servers.Build{}, fault.ByUser(problem)
		}
		server.Preferred = true // it is not named on the command line
		if build, err = b.Build(ctx, server); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	if name == "" && err == nil && build.Path == foundServer() {
		b.tellServer.Do(func() {
			b.config.Progress.Note(fmt.Sprintf("the kube-apiserver is %s, %s, which is here already: $%s names its directory, or name another build as the server", build.Path, build.Version, assets))
		})
	}
	return build, err
}

// assets is the variable that names the directory of the servers of controller-runtime's envtest,
// and defaultAssets the directory that envtest uses without it.
const (
	assets        = "KUBEBUILDER_ASSETS"
	defaultAssets = "/usr/local/kubebuilder/bin"
)

// foundServer returns the kube-apiserver that envtest would start; "": it has no such file.
func foundServer() string {
	path, err := exec.LookPath(filepath.Join(cmp.Or(os.Getenv(assets), defaultAssets), "kube-apiserver"))
	if err != nil {
		return ""
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return ""
	}
	return path
}

// emptyAssets returns the directory of servers that the user names, if it has no kube-apiserver
// that can be executed.
func emptyAssets() string {
	if foundServer() != "" {
		return ""
	}
	return os.Getenv(assets)
}

// newestServer returns the newest kube-apiserver release that is built already, or else one that
// envtest would start, or else the default.
func newestServer() string {
	built, _ := Cached() // no cache, no builds
	var newest *version.Version
	for _, b := range built {
		v, err := version.NewVersion(b.Version)
		if err == nil && b.Name == "kube-apiserver" && b.Reference == "" && (newest == nil || v.GreaterThan(newest)) {
			newest = v
		}
	}
	if found := foundServer(); newest == nil && found != "" {
		return "path:" + found
	}
	if newest == nil {
		return defaultServer
	}
	return "kube-apiserver@" + newest.Original()
}

// isUnderlyingBuilt reports whether the underlying kube-apiserver is built; if none is named,
// any built one counts.
func (b *Builder) isUnderlyingBuilt(ctx context.Context, server string) bool {
	on, err := servers.ParseReference(cmp.Or(server, newestServer()))
	return err == nil && b.IsBuilt(ctx, on)
}
