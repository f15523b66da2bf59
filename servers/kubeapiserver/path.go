package kubeapiserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/process"
)

// component is what this package starts.
const component = "kube-apiserver"

// FromPath makes a Build of an executable somebody built. It asks the
// executable for its version (--version, which must answer
// "Kubernetes vX.Y.Z…" within 10 seconds), so only name one you would run
// anyway. The error says what is wrong with the file.
func FromPath(ctx context.Context, file string) (servers.Build, error) {
	where := fmt.Sprintf("path:%s", file)
	path, err := filepath.Abs(file)
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", where, err)
	}
	if err := executable(path); err != nil {
		return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", where, err)}
	}
	found, err := process.FileOf(path) // before it is asked: what answers instead of it is not started
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", where, err)
	}
	version, err := askVersion(ctx, path)
	if err != nil {
		return servers.Build{}, apiserver.Unanswered(fmt.Errorf("%s: %w", where, err))
	}
	return servers.Build{Reference: where, Component: component, Version: version, Path: path, Digest: found.Digest, File: found}, nil
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such file; build it first, or check the path")
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a directory; name the kube-apiserver executable in it")
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	case info.Mode().Perm()&0o111 == 0:
		return errors.New("is not executable; chmod +x it if it is a kube-apiserver")
	}
	return nil
}

// askVersion runs the executable with --version.
func askVersion(ctx context.Context, path string) (string, error) {
	answer, err := apiserver.Ask(ctx, path, "--version")
	if err != nil {
		return "", fmt.Errorf("%w; is it a kube-apiserver?", err)
	}
	return parseVersion(answer)
}

func parseVersion(answer string) (string, error) {
	match := regexp.MustCompile(`^Kubernetes (v[0-9]+\.[0-9]+\.[0-9]+\S*)\s*$`).FindStringSubmatch(answer)
	if match == nil {
		return "", fmt.Errorf("--version printed %q, want \"Kubernetes vX.Y.Z\"; is it a kube-apiserver?", apiserver.FirstLine(answer))
	}
	return match[1], nil
}
