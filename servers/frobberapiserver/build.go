package frobberapiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/process"
)

const (
	// component is what this package starts, binary the file it lies in.
	component = "frobber"
	binary    = "frobber-apiserver"
)

// Get makes a Build of a release: 1.1, or 1.1+required for a twin. It asks the
// binary for the release's version, so that one that there is not is told before
// any server starts, in the binary's own words.
func Get(ctx context.Context, release string) (servers.Build, error) {
	reference := component + "@" + release
	path, err := find()
	if err != nil {
		return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", reference, err)}
	}
	file, err := process.FileOf(path) // before it is asked: what answers instead of it is not started
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", reference, err)
	}
	version, err := askVersion(ctx, path, release)
	if err != nil {
		return servers.Build{}, apiserver.Unanswered(fmt.Errorf("%s: %w", reference, err))
	}
	return servers.Build{Reference: reference, Component: component, Version: version, Path: path, Digest: file.Digest, File: file}, nil
}

// find looks beside skewsim's own executable, then on PATH: the server is built
// with it, and comes in the same place.
func find() (string, error) {
	beside := ""
	if own, err := os.Executable(); err == nil {
		beside = filepath.Dir(own)
		if path, err := exec.LookPath(filepath.Join(beside, binary)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(binary)
	if err != nil {
		return "", fmt.Errorf("%s is neither beside skewsim (%s) nor on PATH: run make build, or go install ./cmd/%s", binary, beside, binary)
	}
	return filepath.Abs(path)
}

// askVersion asks the binary what the release calls itself.
func askVersion(ctx context.Context, path, release string) (string, error) {
	answer, err := apiserver.Ask(ctx, path, "--release="+release, "--version")
	var refused *apiserver.AnswerError
	switch {
	case errors.As(err, &refused) && !refused.Killed && strings.TrimSpace(refused.Said) != "":
		return "", errors.New(words(refused.Said))
	case err != nil:
		return "", fmt.Errorf("%s: %w", path, err)
	}
	version, err := parseVersion(answer)
	if err != nil {
		return "", fmt.Errorf("%s: %w; run make build", path, err)
	}
	if want := versionOf(release); version != want {
		return "", fmt.Errorf("%s: --version says %s of release %s, want %s; run make build", path, version, release, want)
	}
	return version, nil
}

// words are the binary's own, without the name that commands put before them.
func words(said string) string {
	line := apiserver.FirstLine(said)
	for _, prefix := range []string{"Error: ", "error: ", binary + ": "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return line
}

// versionOf is a release's version: v1.1.0+required is that of 1.1+required.
func versionOf(release string) string {
	number, twin, isTwin := strings.Cut(release, "+")
	if isTwin {
		twin = "+" + twin
	}
	return "v" + number + ".0" + twin
}

// Release is the release of a version, the other way round: that of v1.1.0+required is
// 1.1+required.
func Release(version string) string {
	number, twin, isTwin := strings.Cut(strings.TrimPrefix(version, "v"), "+")
	number = strings.TrimSuffix(number, ".0")
	if isTwin {
		return number + "+" + twin
	}
	return number
}
