package gobuild

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// Tree is a Go module in some folder. A program is built in a copy of it, as the go
// command would there: with its own go.mod, its go.work if it has one, and its vendor
// directory. The folder itself is only read.
type Tree struct {
	// Digest tells apart trees that differ in anything that can decide what is built.
	Digest string
	// Package is the folder of the program's package: cmd/kube-apiserver. The recipe's
	// Main and Files, if it has any, make that package.
	Package string
	// Copy writes the tree to a directory that is there and empty. It is an error if
	// what it copies is not what Digest was told of.
	Copy func(ctx context.Context, dir string) error
}

// layTree copies the tree, and fits the go command to it.
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

// treeEnviron is what a go command sees in somebody's own module: whether it builds
// from the vendor directory or from the module cache is then for Go to say. A go.work
// counts that lies beside the go.mod; one further up belongs to somebody else.
func treeEnviron(tmp, module string) []string {
	env := append(surroundings(tmp), "GOFLAGS=-buildvcs=false")
	if _, err := os.Stat(filepath.Join(module, "go.work")); errors.Is(err, fs.ErrNotExist) {
		return append(env, "GOWORK=off")
	}
	return append(env, "GOWORK="+filepath.Join(module, "go.work"))
}

// NewTreeGo is for questions to the go command about a module in some folder, which
// none of them may change.
func NewTreeGo(folder string) (*Go, error) {
	tool, err := newGo(folder, os.TempDir(), silent{})
	if err != nil {
		return nil, err
	}
	tool.env = treeEnviron(os.TempDir(), folder)
	return tool, nil
}
