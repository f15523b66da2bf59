package build

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Download is a module in Go's module cache, as `go mod download -json` prints it.
type Download struct {
	Path, Version string
	Dir           string // the folder of its files
	Sum           string // their hash, as a go.sum has it
	Info, GoMod   string // files: the proxy's description, the go.mod
}

// RefusedError is what go says of a version of a module that is not available.
type RefusedError struct{ Path, Version, Text string }

// Error says which version it is, and what go says of it.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s@%s: cannot be fetched: %s", e.Path, e.Version, e.Text)
}

// Download has a module in Go's module cache, which gets it first where it has it not. That it
// is not available is a *RefusedError; a machine that is offline, or full, is not.
func (g *Go) Download(ctx context.Context, path, version string) (Download, error) {
	text, failed := g.Output(ctx, "mod", "download", "-json", path+"@"+version)
	var d struct {
		Download
		Error string
	}
	if json.Unmarshal([]byte(text), &d) != nil {
		return Download{}, failed
	}
	if d.Error == "" {
		return d.Download, nil
	}
	if explained := Explain("mod download", d.Error); explained != nil {
		return Download{}, explained
	}
	return Download{}, &RefusedError{path, version, strings.TrimSuffix(strings.Join(strings.Fields(d.Error), " "), ".")}
}
