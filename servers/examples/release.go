package examples

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/module"
)

// OfRelease returns the examples of a release of Kubernetes, v1.36.3, from the module that
// its servers are built from. The module is downloaded where the module cache has it not.
func OfRelease(ctx context.Context, release, namespace string) (Objects, error) {
	at, err := os.MkdirTemp("", "skewsim-examples-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(at)
	tool, err := gobuild.NewGo(at)
	if err != nil {
		return nil, err
	}
	text, err := tool.Output(ctx, "mod", "download", "-json", (module.Source{Path: "k8s.io/kubernetes"}).Path+"@"+release)
	var d struct{ Dir, Error string }
	if json.Unmarshal([]byte(text), &d) != nil {
		return nil, err
	}
	if d.Error != "" {
		return nil, fmt.Errorf("k8s.io/kubernetes@%s: not available: %s", release, d.Error)
	}
	return Read(d.Dir, namespace)
}
