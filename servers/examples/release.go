package examples

import (
	"context"
	"os"

	"github.com/skewsim/skewsim/servers/gobuild"
)

// OfRelease returns the examples of a release of Kubernetes, v1.36.3, from the module that
// its servers are built from. The module is downloaded where the module cache has it not.
func OfRelease(ctx context.Context, release, namespace string) (All, error) {
	at, err := os.MkdirTemp("", "skewsim-examples-")
	if err != nil {
		return All{}, err
	}
	defer os.RemoveAll(at)
	tool, err := gobuild.NewGo(at)
	if err != nil {
		return All{}, err
	}
	d, err := tool.Download(ctx, "k8s.io/kubernetes", release)
	if err != nil {
		return All{}, err
	}
	return ReadAll(d.Dir, namespace)
}
