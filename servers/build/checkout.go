package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/skewsim/skewsim/servers"
)

// modulePath is the module of a Kubernetes checkout; forks keep it.
const modulePath = "k8s.io/kubernetes"

// apiServerFolder is the folder of the API server.
const apiServerFolder = "cmd/kube-apiserver"

// Checkout is the content of a folder when it was opened.
type Checkout struct {
	// Reference is the folder as it was given, source:../kubernetes; Place is the same with its
	// full path.
	Reference, Place string
	// Version is the version that Kubernetes' own build would use:
	// v1.37.0-alpha.1.123+0123456789abcd, with -dirty appended if there are uncommitted
	// changes. Without a tag it is v1.37.0-dev+0123456789abcd, with the release that the code
	// declares.
	Version string

	folder    string
	files     []file
	stamp     Stamp
	toolchain string // go1.26.8
}

// OpenCheckout reads a folder. If the folder is not a checkout of Kubernetes, or does not contain all
// code that it builds, the error is a *servers.RequestError with the reason.
func OpenCheckout(ctx context.Context, folder string) (*Checkout, error) {
	c := &Checkout{Reference: "source:" + folder}
	err := c.open(ctx, folder)
	var own problem
	if errors.As(err, &own) {
		return nil, &servers.RequestError{Err: fmt.Errorf("%s: %w", c.Reference, err)}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Reference, err)
	}
	return c, nil
}

// problem is a user error.
type problem struct{ error }

func (c *Checkout) open(ctx context.Context, folder string) (err error) {
	if c.folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	c.Place = "source:" + c.folder
	if err := check(c.folder); err != nil {
		return problem{err}
	}
	repository, err := findRepository(ctx, c.folder)
	if err != nil {
		return err
	}
	if c.files, err = read(ctx, c.folder, repository); err != nil {
		return err
	}
	if c.stamp, err = stampOf(ctx, c.folder, repository, digest(c.files)); err != nil {
		return err
	}
	c.Version = c.stamp.Version
	tool, err := NewTreeGo(c.folder)
	if err != nil {
		return err
	}
	toolchain, err := tool.Output(ctx, "env", "GOVERSION")
	c.toolchain = strings.TrimSpace(toolchain)
	return err
}

// check returns why a folder is not a checkout that can be built, or nil.
func check(folder string) error {
	const want = "name the folder of a checkout of Kubernetes, which has its go.mod"
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isFolder(folder):
		return errors.New("no such folder; " + want)
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("has no go.mod; " + want)
	case err != nil:
		return err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	if mod.Module == nil || mod.Module.Mod.Path != modulePath {
		return fmt.Errorf("its go.mod is not that of %s; %s", modulePath, want)
	}
	if !isFolder(filepath.Join(folder, filepath.FromSlash(apiServerFolder))) {
		return fmt.Errorf("has no %s; %s", apiServerFolder, want)
	}
	return checkPlaces(folder, mod)
}

// checkPlaces returns an error for code outside the folder: its changes would not be noticed.
func checkPlaces(folder string, mod *modfile.File) error {
	for _, r := range mod.Replace {
		if r.New.Version == "" && !filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			return outside("go.mod: replace "+r.Old.Path, r.New.Path)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "go.work"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return err
	}
	for _, u := range work.Use {
		if !filepath.IsLocal(filepath.FromSlash(u.Path)) {
			return outside("go.work: use", u.Path)
		}
	}
	for _, r := range work.Replace {
		if r.New.Version == "" && !filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			return outside("go.work: replace "+r.Old.Path, r.New.Path)
		}
	}
	return nil
}

func outside(where, path string) error {
	return fmt.Errorf("%s: %q is outside of the checkout, so changes there would not be noticed: move it into the checkout, or build it yourself and name the executable with path:FILE", where, path)
}

// Folder returns the folder of the checkout.
func (c *Checkout) Folder() string { return c.folder }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Revision returns what distinguishes builds of the same files: the Go release that compiles
// them.
func (c *Checkout) Revision() string { return c.toolchain }

// LDFlags returns the flags that set the checkout's version in a program, as Kubernetes' own
// build does.
func (c *Checkout) LDFlags() []string { return c.stamp.LDFlags() }

// Server returns the tree in which the API server is built: the whole checkout.
func (c *Checkout) Server() *Tree { return c.tree(apiServerFolder, c.files) }

// Clients returns the tree for building a program outside of the checkout with the modules that
// the checkout stages, such as client-go.
func (c *Checkout) Clients(folder string) *Tree {
	var files []file
	for _, f := range c.files {
		top, _, below := strings.Cut(f.path, "/")
		if below && (top == "staging" || top == "vendor") || strings.HasPrefix(f.path, "go.") {
			files = append(files, f)
		}
	}
	return c.tree(folder, files)
}

func (c *Checkout) tree(folder string, files []file) *Tree {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s", digest(files), strings.Join(c.LDFlags(), " "))
	return &Tree{
		Digest: hex.EncodeToString(sum.Sum(nil)), Package: folder,
		Copy: func(ctx context.Context, dir string) error { return copyAll(ctx, c.folder, dir, files) },
	}
}
