package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Tree is a Go module in a folder. A program is built in a copy of it, as the go command would
// do there: with its own go.mod, its go.work if it has one, and its vendor directory. The
// folder itself is only read.
type Tree struct {
	// Digest identifies everything in the tree that can influence the build.
	Digest string
	// Package is the folder of the program's package: cmd/kube-apiserver. If the recipe has
	// Main and Files, they form that package.
	Package string
	// Completes reports whether the copy gets the modules that its go.mod or its vendor directory lacks for the
	// recipe's Main. No module that the go.mod names gets another version. Default: a program that needs
	// more than the tree has is an error.
	Completes bool
	// Copy writes the tree to an existing empty directory. It returns an error if the content
	// no longer matches Digest.
	Copy func(ctx context.Context, dir string) error
}

// layTree copies the tree, and configures the go command for it.
func (w workshop) layTree(ctx context.Context, tool *Go) error {
	if err := w.recipe.Tree.Copy(ctx, w.module()); err != nil {
		return err
	}
	tool.env = treeEnviron(filepath.Join(w.dir, "tmp"), w.module())
	if w.recipe.Main == "" {
		return nil
	}
	dir := filepath.Join(w.module(), filepath.FromSlash(w.recipe.Tree.Package))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files := map[string]string{"main.go": w.recipe.Main}
	maps.Copy(files, w.recipe.Files)
	return write(dir, files)
}

// treeEnviron returns the environment of a go command in a user's module, where Go decides
// between the vendor directory and the module cache. A go.work next to the go.mod is used; one
// further up is not part of the module.
func treeEnviron(tmp, module string) []string {
	env := append(surroundings(tmp), "GOFLAGS=-buildvcs=false")
	if !isWorkspace(module) {
		return append(env, "GOWORK=off")
	}
	return append(env, "GOWORK="+filepath.Join(module, "go.work"))
}

// isWorkspace reports whether a module has a go.work.
func isWorkspace(module string) bool {
	_, err := os.Stat(filepath.Join(module, "go.work"))
	return !errors.Is(err, fs.ErrNotExist)
}

// NewTreeGo returns a Go for read-only questions about a module in a folder.
func NewTreeGo(folder string) (*Go, error) {
	tool, err := newGo(folder, os.TempDir(), silent{})
	if err != nil {
		return nil, err
	}
	tool.env = treeEnviron(os.TempDir(), folder)
	return tool, nil
}

// treePackages counts the packages of a program in a tree.
func (w workshop) treePackages(ctx context.Context, tool *Go) (int, error) {
	text, err := tool.Output(ctx, "list", "-deps", w.recipe.target())
	if err != nil && w.recipe.Tree.Completes && !isWorkspace(w.module()) { // where Go writes to no go.mod
		text, err = w.complete(ctx, tool)
	}
	return strings.Count(text, "\n"), err
}

// complete lists the packages of a program in a tree, and adds the modules to the copy that the tree lacks for them.
func (w workshop) complete(ctx context.Context, tool *Go) (string, error) {
	before, err := versionsIn(w.module())
	if err != nil {
		return "", err
	}
	tool.env = append(tool.env, "GOFLAGS=-buildvcs=false -mod=mod") // and so without a vendor directory
	text, err := tool.Output(ctx, "list", "-deps", w.recipe.target())
	if err != nil {
		return "", err
	}
	after, err := versionsIn(w.module())
	if err != nil {
		return "", err
	}
	for path, version := range before {
		if now := after[path]; now != version {
			return "", fmt.Errorf("what the program imports needs %s %s, and go.mod requires %s: require %s in go.mod, as go get does, or name a program file", path, now, version, now)
		}
	}
	return text, nil
}

// versionsIn returns the versions that the go.mod of a folder requires, by path.
func versionsIn(folder string) (map[string]string, error) {
	const name = "go.mod"
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, r := range mod.Require {
		all[r.Mod.Path] = r.Mod.Version
	}
	return all, nil
}
