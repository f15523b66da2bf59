package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
)

// Source is a Go module that is published with every release of Kubernetes.
type Source struct {
	// Path of the module: k8s.io/client-go.
	Path string
	// Staged means that Kubernetes publishes the module from its own tree, with other versions:
	// v1.36.3 of Kubernetes is v0.36.3 of k8s.io/client-go.
	Staged bool
}

// Version returns the module's version for a release of Kubernetes.
func (s Source) Version(release string) string {
	if s.Staged {
		return "v0." + strings.TrimPrefix(release, "v1.")
	}
	return release
}

// release is the reverse of Version; ok is false for a pre-release, and for versions without a
// release.
func (s Source) release(version string) (name string, ok bool) {
	name = version
	if s.Staged {
		number, staged := strings.CutPrefix(version, "v0.")
		if !staged {
			return "", false
		}
		name = "v1." + number
	}
	return name, regexp.MustCompile(`^v1\.[0-9]+\.[0-9]+$`).MatchString(name)
}

// OwnModule reports whether a module is published with a release of Kubernetes, v1.36.3, and so
// belongs to a program of that release. Others, such as k8s.io/utils, have independent
// versions.
func OwnModule(release string) func(module.Version) bool {
	staged := Source{Staged: true}.Version(release)
	return func(m module.Version) bool {
		return strings.HasPrefix(m.Path, "k8s.io/") && (m.Version == release || m.Version == staged)
	}
}

// wellFormed matches vMAJOR.MINOR.PATCH, with or without a pre-release.
const wellFormed = `^v1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$`

// Check returns an error for an invalid release name, with some valid ones.
func (s Source) Check(ctx context.Context, release string) error {
	if regexp.MustCompile(wellFormed).MatchString(release) {
		return nil
	}
	return fmt.Errorf("version %q: want vX.Y.Z%s", release, s.hint(ctx, nil, release))
}

// Fetch downloads the module of a release. If the release is not available, the error is a
// *servers.RequestError; if the machine is offline or the disk is full, it is not.
func (s Source) Fetch(ctx context.Context, tool *Go, release string) (Download, error) {
	d, err := tool.Download(ctx, s.Path, s.Version(release))
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return d, &servers.RequestError{Err: fmt.Errorf("cannot be fetched: %s%s", refused.Text, s.hint(ctx, tool, release))}
	}
	return d, err
}

// GoMod is the part of a go.mod that generated modules copy.
type GoMod struct {
	Go      string
	Godebug []struct{ Key, Value string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// ReadGoMod reads the go.mod of a module that was fetched.
func ReadGoMod(ctx context.Context, tool *Go, d Download) (GoMod, error) {
	text, err := tool.Output(ctx, "mod", "edit", "-json", d.GoMod)
	if err != nil {
		return GoMod{}, err
	}
	var m GoMod
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return GoMod{}, fmt.Errorf("go.mod of %s@%s: %w", d.Path, d.Version, err)
	}
	return m, nil
}

// Begin returns the beginning of a go.mod with the same language version and runtime settings
// as the module that it was read from.
func (m GoMod) Begin(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\ngo %s\n\n", name, m.Go)
	for _, d := range m.Godebug {
		fmt.Fprintf(&b, "godebug %s=%s\n", d.Key, d.Value)
	}
	return b.String()
}
