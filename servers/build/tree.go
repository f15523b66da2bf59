package build

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
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
	if _, err := os.Stat(filepath.Join(module, "go.work")); errors.Is(err, fs.ErrNotExist) {
		return append(env, "GOWORK=off")
	}
	return append(env, "GOWORK="+filepath.Join(module, "go.work"))
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
