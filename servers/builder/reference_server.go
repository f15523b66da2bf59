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
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/module"
)

// makerOfReferenceServer returns what makes the reference server's executable: of the module
// version that go install made this program of, or else, if inModule, of the Go module of the
// current directory; nil: nothing does.
func makerOfReferenceServer(b *Builder, inModule bool) func(context.Context) (string, error) {
	if recipe, ok := ownReferenceServer(); ok {
		return func(ctx context.Context) (string, error) {
			cache, err := b.cache.open()
			if err != nil {
				return "", err
			}
			work := b.config.Progress.Begin(recipe.String())
			defer work.End()
			built, err := cache.Get(ctx, recipe, work)
			return built.Path, err
		}
	}
	if inModule {
		return makeInModule
	}
	return nil
}

// ownReferenceServer is referenceServerOf of this program.
func ownReferenceServer() (gobuild.Recipe, bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return gobuild.Recipe{}, false
	}
	return referenceServerOf(info.Main)
}

// referenceServerOf returns how to build the reference server of the module version that a
// program was built of. It returns false for a program that was built in a checkout: only a
// module that the go command downloaded has a sum.
func referenceServerOf(main debug.Module) (gobuild.Recipe, bool) {
	if main.Sum == "" || !strings.HasPrefix(frobberapiserver.Package, main.Path+"/") {
		return gobuild.Recipe{}, false
	}
	return gobuild.Recipe{
		Name: filepath.Base(frobberapiserver.Package), Version: main.Version, Package: frobberapiserver.Package,
		Revision: main.Sum,
		Resolve: func(ctx context.Context, tool *gobuild.Go) (gobuild.Module, error) {
			return requiring(ctx, tool, main.Path, main.Version)
		},
	}, true
}

// requiring returns a module that requires another one, with the language version and the
// runtime's settings of that one.
func requiring(ctx context.Context, tool *gobuild.Go, path, version string) (gobuild.Module, error) {
	d, err := tool.Download(ctx, path, version)
	if err != nil {
		return gobuild.Module{}, err
	}
	upstream, err := module.ReadGoMod(ctx, tool, d)
	return gobuild.Module{GoMod: upstream.Begin("skewsim.invalid/reference-server") + fmt.Sprintf("\nrequire %s %s\n", path, version)}, err
}

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
