package checkout

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
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/module"
)

// modulePath is the module that a checkout of Kubernetes is, a fork's as well.
const modulePath = "k8s.io/kubernetes"

// program is the folder of the API server.
const program = "cmd/kube-apiserver"

// Checkout is what a folder held when it was opened.
type Checkout struct {
	// Reference is the folder as it was given, source:../kubernetes, and Place the
	// same with its full path.
	Reference, Place string
	// Version is what Kubernetes' own build would say: v1.37.0-alpha.1.123+0123456789abcd,
	// with -dirty behind it where not all is committed. Without a tag it is
	// v1.37.0-dev+0123456789abcd, of the release that the code says it becomes.
	Version string

	folder    string
	files     []file
	stamp     module.Stamp
	toolchain string // go1.26.8
}

// Open reads a folder. What is no checkout of Kubernetes, or cannot be built by itself,
// is a *servers.RequestError that says why.
func Open(ctx context.Context, folder string) (*Checkout, error) {
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

// problem is an error in what the user gave.
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
	tool, err := gobuild.NewTreeGo(c.folder)
	if err != nil {
		return err
	}
	toolchain, err := tool.Output(ctx, "env", "GOVERSION")
	c.toolchain = strings.TrimSpace(toolchain)
	return err
}

// check tells why a folder is no checkout, or none that can be built by itself.
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
	if !isFolder(filepath.Join(folder, filepath.FromSlash(program))) {
		return fmt.Errorf("has no %s; %s", program, want)
	}
	return checkPlaces(folder, mod)
}

// checkPlaces tells of code that lies elsewhere: its changes would go unseen.
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
	return fmt.Errorf("%s: %q lies outside of the checkout, so what changes there would go unseen: move it into the checkout, or build it yourself and name the executable with path:FILE", where, path)
}

// Folder is where the checkout lies.
func (c *Checkout) Folder() string { return c.folder }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Revision tells apart builds by what decides them besides the files: the Go that
// compiles them.
func (c *Checkout) Revision() string { return c.toolchain }

// LDFlags have a program say the checkout's version, as Kubernetes' own build does.
func (c *Checkout) LDFlags() []string { return c.stamp.LDFlags() }

// Server is the tree in which the API server is built: all of it.
func (c *Checkout) Server() *gobuild.Tree { return c.tree(program, c.files) }

// Clients is the tree in which a program is built that is not of the checkout, but uses
// the modules that it stages: its client-go above all.
func (c *Checkout) Clients(folder string) *gobuild.Tree {
	var files []file
	for _, f := range c.files {
		top, _, below := strings.Cut(f.path, "/")
		if below && (top == "staging" || top == "vendor") || strings.HasPrefix(f.path, "go.") {
			files = append(files, f)
		}
	}
	return c.tree(folder, files)
}

func (c *Checkout) tree(folder string, files []file) *gobuild.Tree {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s", digest(files), strings.Join(c.LDFlags(), " "))
	return &gobuild.Tree{
		Digest: hex.EncodeToString(sum.Sum(nil)), Package: folder,
		Copy: func(ctx context.Context, dir string) error { return copyAll(ctx, c.folder, dir, files) },
	}
}
