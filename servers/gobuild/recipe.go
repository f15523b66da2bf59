package gobuild

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

// Recipe says how to build one program.
type Recipe struct {
	// Name of the program and of its executable: kube-apiserver.
	Name string
	// Version of it: v1.36.3.
	Version string
	// Reference is how users name it, as List tells; it decides nothing of what is
	// built. Default: NAME@VERSION.
	Reference string
	// Main is the text of main.go. "": that of the Tree, or Package is built.
	Main string
	// Package is the import path of the package that is built, of a module that the
	// go.mod requires. Default: that of main.go.
	Package string
	// Files are the texts of the program's other Go files, by name. Default:
	// none.
	Files map[string]string
	// Revision tells apart recipes that differ in what Resolve does: raise it
	// with every change, and what was built before is built anew.
	Revision string
	// Tree is a module that is there, in which the program is built. Default: one is
	// generated, as Resolve says.
	Tree *Tree
	// Resolve finds the rest. It is called only when there is something to
	// build, so that what was built before needs no network.
	Resolve func(context.Context, *Go) (Module, error)
}

// Module is what a recipe's main.go is built in.
type Module struct {
	GoMod   string   // the text of go.mod; of a Tree, which has its own, ""
	LDFlags []string // for the linker, besides -s and -w
	// Own tells the modules that make the program the release that it is: where the
	// proxy withholds one, only a patch of its own minor may stand in. Of any other
	// module a later version may. Default: none is.
	Own func(module.Version) bool
}

func (r Recipe) String() string { return r.Name + " " + r.Version }

// key names the recipe's entry in the cache: readable, and different whenever
// what would come out is.
func (r Recipe) key() string {
	return r.keyOf(r.digest())
}

// keyWith names the entry of a build that other modules stand in for some of: it is not
// what the recipe says, so it never takes that entry's place.
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

// digest covers everything that decides what is built. Fields are told apart by
// their lengths, so that no two recipes run together.
func (r Recipe) digest() string {
	hash := sha256.New()
	fields := []string{r.Name, r.Version, runtime.GOOS, runtime.GOARCH, r.Main, r.Revision}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		fields = append(fields, name, r.Files[name])
	}
	if r.Tree != nil {
		fields = append(fields, "tree", r.Tree.Digest, r.Tree.Package)
	}
	if r.Package != "" { // what is built without has the digest that it had
		fields = append(fields, "package", r.Package)
	}
	for _, field := range fields {
		fmt.Fprintf(hash, "%d:%s", len(field), field)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// IsAmong tells whether Get would find the recipe's program among what List gives.
func (r Recipe) IsAmong(built []Built) bool {
	digest, exact := r.digest(), exactOnly()
	return slices.ContainsFunc(built, func(b Built) bool {
		return b.Recipe == digest && !b.Damaged && !(exact && len(b.Substituted) > 0)
	})
}

// target is what the go command is told to build, from the module's directory.
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
