package builder

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/skewsim/skewsim/servers/build"
)

// binariesOf returns what releases are taken from instead of being built; nil: all are built.
func binariesOf(c Config) build.Binaries {
	if c.FromSource {
		return nil
	}
	return binaries{}
}

// binaries are those of $KUBEBUILDER_ASSETS and those that Kubernetes publishes.
type binaries struct{}

// Get implements build.Binaries. Where neither has the program, it says why, but for a network
// that was found missing before: that is said once.
func (binaries) Get(ctx context.Context, r build.Recipe, file string, p build.Progress) (from string, err error) {
	if from, err = fromAssets(ctx, r, file); from != "" || ctx.Err() != nil {
		return from, context.Cause(ctx)
	}
	if err != nil {
		p.Phase(fmt.Sprintf("%s in $%s is not used: %v", r.Name, assets, err))
	}
	mirror, err := build.MirrorFromEnvironment()
	if mirror == nil && err == nil {
		return "", nil
	}
	if err == nil {
		of := build.Program{Name: r.Name, Version: r.Version, OS: runtime.GOOS, Arch: runtime.GOARCH}
		from, err = mirror.Get(ctx, of, file, p.Phase)
	}
	if err == nil {
		err = verify(ctx, r, file)
	}
	if err == nil {
		return from, nil
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if gone := (*build.UnreachableError)(nil); !errors.As(err, &gone) || !gone.Known {
		p.Phase(fmt.Sprintf("no published binary of %s: %v: it is built from source; $%s=%s omits the question", r, err, build.MirrorVariable, build.Off))
	}
	return "", nil
}

// fromAssets copies a program of envtest, if it is of the release; "" without an error: there is
// none, or it is of another one.
func fromAssets(ctx context.Context, r build.Recipe, file string) (from string, err error) {
	dir := os.Getenv(assets)
	if dir == "" {
		return "", nil
	}
	from, err = filepath.Abs(filepath.Join(dir, r.Name))
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(from); err != nil || !info.Mode().IsRegular() || r.Verify(ctx, from) != nil {
		return "", nil //nolint:nilerr // of another release
	}
	if err := copyFile(from, file); err != nil {
		return "", err
	}
	if err := verify(ctx, r, file); err != nil {
		return "", err
	}
	return from, nil
}

// verify returns an error unless a file is a recipe's program for this machine.
func verify(ctx context.Context, r build.Recipe, file string) error {
	if err := os.Chmod(file, 0o700); err != nil {
		return err
	}
	if err := forThisMachine(file); err != nil {
		return err
	}
	return r.Verify(ctx, file)
}

// forThisMachine refuses an ELF file of another architecture, which the kernel would refuse with
// fewer words. It accepts files of other formats: executing them shows what they are.
func forThisMachine(file string) error {
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64, "ppc64le": elf.EM_PPC64, "s390x": elf.EM_S390, "riscv64": elf.EM_RISCV}
	f, err := elf.Open(file)
	if err != nil {
		return nil //nolint:nilerr // no ELF file
	}
	defer f.Close()
	if want, known := machines[runtime.GOARCH]; known && f.Machine != want {
		return fmt.Errorf("is for %s, want %s", f.Machine, want)
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
