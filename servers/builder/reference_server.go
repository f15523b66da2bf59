package builder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// makeInModule makes the executable of the Go module of the current directory. It is kept
// beside the builds, and go decides whether it is up to date. Other processes of the module
// wait for each other.
func makeInModule(ctx context.Context) (string, error) {
	module, err := goCommand(ctx, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	parent := besideBuilds("reference-server")
	if parent == "" {
		return "", errors.New("no directory for caches: set SKEWSIM_CACHE")
	}
	sum := sha256.Sum256([]byte(module))
	dir := filepath.Join(parent, hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return "", err
	}
	defer func() { _ = lock.Unlock() }() // fails only on a lock not held
	path := filepath.Join(dir, filepath.Base(frobberapiserver.Package))
	_, err = goCommand(ctx, "build", "-o", path, frobberapiserver.Package)
	return path, err
}

// goCommand returns what the go command prints.
func goCommand(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
