package crd

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
)

// Fetch has the Go module that a reference names, and returns the directory of its
// files in Go's module cache. Nothing of it is built or run. A version that cannot be
// had is a *servers.RequestError.
func Fetch(ctx context.Context, tool *gobuild.Go, ref servers.Reference) (dir string, err error) {
	text, err := tool.Output(ctx, "mod", "download", "-json", ref.Module+"@"+ref.Version)
	var d struct{ Dir, Error string }
	switch {
	case json.Unmarshal([]byte(text), &d) != nil:
		return "", fmt.Errorf("%s: %w", ref, err)
	case d.Error != "":
		if explained := gobuild.Explain("mod download", d.Error); explained != nil {
			return "", fmt.Errorf("%s: %w", ref, explained)
		}
		return "", &servers.RequestError{Err: fmt.Errorf("%s: cannot be fetched: %s", ref, strings.Join(strings.Fields(d.Error), " "))}
	}
	return d.Dir, nil
}
