package kubeapiserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// component is what this package starts.
const component = "kube-apiserver"

// versionWithin bounds `--version`. A server prints it in a tenth of a second;
// a program that does not know the flag may run for ever.
const versionWithin = 10 * time.Second

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
	version, err := askVersion(ctx, path)
	if err != nil {
		return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", where, err)}
	}
	digest, err := digestOf(path)
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", where, err)
	}
	return servers.Build{Reference: where, Component: component, Version: version, Path: path, Digest: digest}, nil
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
	ctx, cancel := context.WithTimeoutCause(ctx, versionWithin, fmt.Errorf("no answer after %s", versionWithin))
	defer cancel()
	var answer, complaint limited
	child, err := process.Start(process.Command{Path: path, Args: []string{"--version"}, Stdout: &answer, Stderr: &complaint})
	if err != nil {
		return "", fmt.Errorf("cannot be executed here: %w", err)
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		child.Kill()
		return "", fmt.Errorf("--version: %w; is it a kube-apiserver?", context.Cause(ctx))
	}
	if err := child.Err(); err != nil {
		return "", fmt.Errorf("--version: %s: %q; is it a kube-apiserver?", child.Status(), firstLine(complaint.String()+answer.String()))
	}
	return parseVersion(answer.String())
}

func parseVersion(answer string) (string, error) {
	match := regexp.MustCompile(`^Kubernetes (v[0-9]+\.[0-9]+\.[0-9]+\S*)\s*$`).FindStringSubmatch(answer)
	if match == nil {
		return "", fmt.Errorf("--version printed %q, want \"Kubernetes vX.Y.Z\"; is it a kube-apiserver?", firstLine(answer))
	}
	return match[1], nil
}

// firstLine is what of an unexpected answer fits into an error.
func firstLine(s string) string {
	const enough = 200 // bytes
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > enough {
		line = strings.ToValidUTF8(line[:enough], "") + "..."
	}
	return line
}

// limited keeps the first few kilobytes of what is written to it: what claims to
// be a server might print for ever.
type limited struct{ bytes.Buffer }

const limitedBytes = 4 << 10

func (l *limited) Write(b []byte) (int, error) {
	l.Buffer.Write(b[:min(len(b), max(0, limitedBytes-l.Len()))])
	return len(b), nil
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
