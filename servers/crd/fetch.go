package crd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-version"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// SumsFile is the file beside a scenario that says what the files of Go modules must
// be, in the form of a go.sum.
const SumsFile = "modules.sum"

// Sums are the hashes that modules must have, by MODULE@VERSION: each as go.sum has it,
// h1:....
type Sums map[string]string

// ReadSums reads a file of hashes; name is what errors call it. Lines about a module's
// go.mod alone are left out.
func ReadSums(name string, data []byte) (Sums, error) {
	all := Sums{}
	for i, line := range strings.Split(string(data), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0, len(fields) == 3 && strings.HasSuffix(fields[1], "/go.mod"):
		case len(fields) != 3 || !strings.HasPrefix(fields[2], "h1:"):
			return nil, Problem{File: name, Line: i + 1, Text: "not understood: want MODULE VERSION h1:HASH, as a go.sum has it"}
		default:
			all[fields[0]+"@"+fields[1]] = fields[2]
		}
	}
	return all, nil
}

// Fetch has the Go module that a reference names, and returns the directory of its
// files in Go's module cache. Nothing of it is built or run. A version that cannot be
// had, and files that are not what their hash says, are a *servers.RequestError.
func Fetch(ctx context.Context, tool *build.Go, ref servers.Reference, sums Sums) (dir string, err error) {
	d, err := tool.Download(ctx, ref.Module, ref.Version)
	if refused := (*build.RefusedError)(nil); errors.As(err, &refused) {
		return "", &servers.RequestError{Err: fmt.Errorf("%s: cannot be fetched: %s%s", ref, refused.Text, versionsOf(ctx, tool, ref.Module))}
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", ref, err)
	}
	name := ref.Module + "@" + ref.Version
	if err := check(d, name, sums[name]); err != nil {
		return "", &servers.RequestError{Err: fmt.Errorf("%s: %w", ref, err)}
	}
	return d.Dir, nil
}

// check holds the files against the hash that Go had of them when it fetched them,
// which Go has held against its checksum database, and against the one that is wanted,
// if any.
func check(d build.Download, name, want string) error {
	is, err := hashed.of(d.Dir, name, d.Sum)
	switch {
	case err != nil:
		return err
	case is != d.Sum:
		return fmt.Errorf("the files in %s are not those that Go fetched: their hash is %s, and was %s; `go clean -modcache` has them fetched again", d.Dir, is, d.Sum)
	case want != "" && is != want:
		return fmt.Errorf("the hash of its files is %s, and %s wants %s: they are not what the scenario was written for", is, SumsFile, want)
	}
	return nil
}

// hashes keeps the hashes of modules' directories that are as Go fetched them, by module and directory: the runs of
// one process name a module again and again, and a module of a project has thousands of files.
type hashes struct {
	mu  sync.Mutex
	all map[[2]string]string
}

var hashed = &hashes{all: map[[2]string]string{}}

func (h *hashes) of(dir, name, fetched string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if is, known := h.all[[2]string{dir, name}]; known {
		return is, nil
	}
	is, err := dirhash.HashDir(dir, name, dirhash.Hash1)
	if err == nil && is == fetched {
		h.all[[2]string{dir, name}] = is
	}
	return is, err
}

// versionsOf names the newest versions of a module, as the way out of an error; "":
// none is known.
func versionsOf(ctx context.Context, tool *build.Go, module string) string {
	const some = 3
	text, err := tool.Output(ctx, "list", "-m", "-versions", module)
	fields := strings.Fields(text)
	if err != nil || len(fields) < 2 {
		return ""
	}
	released := slices.DeleteFunc(fields[1:], func(v string) bool {
		parsed, err := version.NewVersion(v)
		return err != nil || parsed.Prerelease() != ""
	})
	newest := released[max(0, len(released)-some):]
	if len(newest) == 0 {
		return ""
	}
	return "; it has " + strings.Join(newest, ", ")
}
