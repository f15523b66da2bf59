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
	// component is the name of the server's component, binary its file name.
	component = "frobber"
	binary    = "frobber-apiserver"
)

// Subcommand is the first argument with which a program that links package
// servers/frobber/cli is the reference server.
const Subcommand = binary

// Finder finds the reference server's executable.
type Finder struct {
	// Own reports that the process's own executable is the reference server when its first
	// argument is Subcommand. Then no other executable is looked for.
	Own bool
	// Make makes an executable if neither the directory of the process's own executable nor
	// PATH has one. nil: that is an error.
	Make func(ctx context.Context) (string, error)
}

// Get returns the Build of a release: 1.1, or 1.1+required for a mutant. It asks the binary for
// the release's version, so that an unknown release is reported before any server starts, in
// the binary's own words.
func (f Finder) Get(ctx context.Context, release string) (servers.Build, error) {
	reference := component + "@" + release
	path, subcommand, err := f.find(ctx)
	if err != nil {
		return servers.Build{}, apiserver.Unanswered(fmt.Errorf("%s: %w", reference, err))
	}
	file, err := process.FileOf(path) // before the question: a file that changes afterwards is not started
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", reference, err)
	}
	version, err := askVersion(ctx, path, subcommand, release)
	if err != nil {
		return servers.Build{}, apiserver.Unanswered(fmt.Errorf("%s: %w", reference, err))
	}
	return servers.Build{Reference: reference, Component: component, Version: version, Path: path, Subcommand: subcommand, Digest: file.Digest, File: file}, nil
}

// find returns the process's own executable with Subcommand if f.Own is set. Otherwise it looks
// in the directory of that executable, then on PATH, and makes the server if neither has it.
func (f Finder) find(ctx context.Context) (path, subcommand string, err error) {
	if f.Own {
		path, err := os.Executable()
		return path, Subcommand, err
	}
	path, err = installed()
	if err == nil || f.Make == nil {
		return path, "", err
	}
	if path, err = f.Make(ctx); err != nil {
		return "", "", fmt.Errorf("%s is not installed, and cannot be built: %w: %s", binary, err, install)
	}
	return path, "", nil
}

// Installed reports whether an executable is there already.
func Installed() bool {
	_, err := installed()
	return err == nil
}

// install says how to get the executable. The first command works in a checkout only, and the
// last one in a module that requires skewsim.
const install = "run make build in a checkout of skewsim, go install " + Package + "@VERSION, or go build -o DIR " + Package +
	" in a module that requires it, and put its directory on PATH"

// Package is the path of the executable's package.
const Package = "github.com/skewsim/skewsim/cmd/" + binary

func installed() (string, error) {
	beside := ""
	if own, err := os.Executable(); err == nil {
		beside = filepath.Dir(own)
		if path, err := exec.LookPath(filepath.Join(beside, binary)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(binary)
	if err != nil {
		return "", fmt.Errorf("%s is neither in the directory of this program (%s) nor on PATH: %s", binary, beside, install)
	}
	return filepath.Abs(path)
}

// ask executes the binary with arguments, after the subcommand if there is one.
func ask(ctx context.Context, path, subcommand string, arguments ...string) (string, error) {
	if subcommand != "" {
		arguments = append([]string{subcommand}, arguments...)
	}
	return apiserver.Ask(ctx, path, arguments...)
}

// askVersion asks the binary for the version of a release.
func askVersion(ctx context.Context, path, subcommand, release string) (string, error) {
	answer, err := ask(ctx, path, subcommand, "--release="+release, "--version")
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

// words returns the binary's message without the prefix that commands add.
func words(said string) string {
	line := apiserver.FirstLine(said)
	for _, prefix := range []string{"Error: ", "error: ", binary + ": "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return line
}

// versionOf returns a release's version: v1.1.0+required for 1.1+required.
func versionOf(release string) string {
	number, mutant, isMutant := strings.Cut(release, "+")
	if isMutant {
		mutant = "+" + mutant
	}
	return "v" + number + ".0" + mutant
}

// Release returns the release of a version: 1.1+required for v1.1.0+required.
func Release(version string) string {
	number, mutant, isMutant := strings.Cut(strings.TrimPrefix(version, "v"), "+")
	number = strings.TrimSuffix(number, ".0")
	if isMutant {
		return number + "+" + mutant
	}
	return number
}
