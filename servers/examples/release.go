package examples

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers/build"
)

// OfRelease returns the examples of a release of Kubernetes, v1.36.3, from the module that
// its servers are built from. The module is downloaded where the module cache has it not.
func OfRelease(ctx context.Context, release, namespace string) (All, error) {
	folder, err := module(ctx, "k8s.io/kubernetes", release)
	if err != nil {
		return All{}, err
	}
	return ReadAll(folder, namespace)
}

// SerializedOfRelease returns the objects with every field of a release of Kubernetes, v1.36.3,
// from the module with its API types.
func SerializedOfRelease(ctx context.Context, release string) (map[string]Serialized, error) {
	folder, err := module(ctx, "k8s.io/api", "v0"+strings.TrimPrefix(release, "v1"))
	if err != nil {
		return nil, err
	}
	return ReadSerialized(folder), nil
}

// SerializedOfCheckout returns the objects with every field of a checkout of Kubernetes in a folder.
func SerializedOfCheckout(folder string) map[string]Serialized {
	return ReadSerialized(filepath.Join(folder, "staging", "src", "k8s.io", "api"))
}

// module returns the folder of a module, and downloads it first if the module cache has it not.
func module(ctx context.Context, path, version string) (string, error) {
	at, err := os.MkdirTemp("", "skewsim-examples-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(at)
	tool, err := build.NewGo(at)
	if err != nil {
		return "", err
	}
	d, err := tool.Download(ctx, path, version)
	return d.Dir, err
}
