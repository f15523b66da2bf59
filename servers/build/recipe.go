package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// Recipe describes how to build one program.
type Recipe struct {
	// Name is the name of the program and of its executable: kube-apiserver.
	Name string
	// Version is the program's version: v1.36.3.
	Version string
	// Reference is the program's name in List. It has no influence on the build. Default:
	// NAME@VERSION.
	Reference string
	// Main is the text of main.go. If empty, the Tree's main.go or Package is built.
	Main string
	// Package is the import path of the package to build, from a module that the go.mod
	// requires. Default: that of main.go.
	Package string
	// Files are the texts of the program's other Go files, by name. Default: none.
	Files map[string]string
	// Revision distinguishes recipes with different Resolve functions. Increment it with every
	// change of Resolve, so that programs are rebuilt.
	Revision string
	// Tree is an existing module in which the program is built. Default: a module is generated
	// as Resolve describes.
	Tree *Tree
	// Verify returns an error unless an executable that somebody else built is this program, for
	// this platform. Default: the program is always built.
	Verify func(ctx context.Context, file string) error
	// Resolve returns the rest. It is called only if a build is necessary, so that a cached
	// program needs no network.
	Resolve func(context.Context, *Go) (Module, error)
}

// Module is the module in which a recipe's main.go is built.
type Module struct {
	GoMod   string   // the text of go.mod; of a Tree, which has its own, ""
	LDFlags []string // for the linker, besides -s and -w
	// Own reports whether a module belongs to the program's release: if the proxy withholds it,
	// only a patch of the same minor may substitute for it. For other modules a later version
	// may. Default: no module is.
	Own func(module.Version) bool
}

func (r Recipe) String() string { return r.Name + " " + r.Version }

// key returns the name of the recipe's entry in the cache: readable, and different for every
// different result.
func (r Recipe) key() string {
	return r.keyOf(r.digest())
}

// keyWith returns the name of the entry for a build with substituted modules. Such a build
// differs from the recipe, so it never replaces the recipe's own entry.
func (r Recipe) keyWith(substituted []string) string {
	if len(substituted) == 0 {
		return r.key()
	}
	hash := sha256.New()
	for _, part := range append([]string{r.digest()}, substituted...) {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return r.keyOf(hex.EncodeToString(hash.Sum(nil)))
}

func (r Recipe) keyOf(digest string) string {
	return entryName(r.Name, r.Version, runtime.GOOS, runtime.GOARCH, digest)
}

func entryName(name, version, goos, goarch, digest string) string {
	return fmt.Sprintf("%s-%s-%s-%s-%.12s", name, version, goos, goarch, digest)
}

// digest covers everything that determines the build. Each field is preceded by its length, so
// that different recipes have different digests.
func (r Recipe) digest() string {
	hash := sha256.New()
	fields := []string{r.Name, r.Version, runtime.GOOS, runtime.GOARCH, r.Main, r.Revision}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		fields = append(fields, name, r.Files[name])
	}
	if r.Tree != nil {
		fields = append(fields, "tree", r.Tree.Digest, r.Tree.Package)
	}
	if r.Package != "" { // recipes without it keep their digest
		fields = append(fields, "package", r.Package)
	}
	for _, field := range fields {
		fmt.Fprintf(hash, "%d:%s", len(field), field)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// IsAmong reports whether the result of List contains the recipe's program.
func (r Recipe) IsAmong(built []Built) bool {
	digest, exact := r.digest(), exactOnly()
	return slices.ContainsFunc(built, func(b Built) bool {
		return b.Recipe == digest && !b.Damaged && !(exact && len(b.Substituted) > 0)
	})
}

// target returns the argument of go build, from the module's directory.
func (r Recipe) target() string {
	if r.Tree != nil {
		return "./" + r.Tree.Package
	}
	return cmp.Or(r.Package, ".")
}

// check refuses names that would lead out of the cache.
func (r Recipe) check() error {
	for _, part := range slices.Concat([]string{r.Name, r.Version}, slices.Sorted(maps.Keys(r.Files))) {
		if part == "" || strings.ContainsAny(part, `/\`) || strings.HasPrefix(part, ".") {
			return fmt.Errorf("recipe: %q cannot be part of a file name", part)
		}
	}
	return nil
}
