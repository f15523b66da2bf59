package gobuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// Recipe says how to build one program.
type Recipe struct {
	// Name of the program and of its executable: kube-apiserver.
	Name string
	// Version of it: v1.36.3.
	Version string
	// Main is the text of main.go.
	Main string
	// Files are the texts of the program's other Go files, by name. Default:
	// none.
	Files map[string]string
	// Revision tells apart recipes that differ in what Resolve does: raise it
	// with every change, and what was built before is built anew.
	Revision string
	// Resolve finds the rest. It is called only when there is something to
	// build, so that what was built before needs no network.
	Resolve func(context.Context, *Go) (Module, error)
}

// Module is what a recipe's main.go is built in.
type Module struct {
	GoMod   string   // the text of go.mod
	LDFlags []string // for the linker, besides -s and -w
}

func (r Recipe) String() string { return r.Name + " " + r.Version }

// key names the recipe's entry in the cache: readable, and different whenever
// what would come out is.
func (r Recipe) key() string {
	return fmt.Sprintf("%s-%s-%s-%s-%s", r.Name, r.Version, runtime.GOOS, runtime.GOARCH, r.digest()[:12])
}

// digest covers everything that decides what is built. Fields are told apart by
// their lengths, so that no two recipes run together.
func (r Recipe) digest() string {
	hash := sha256.New()
	fields := []string{r.Name, r.Version, runtime.GOOS, runtime.GOARCH, r.Main, r.Revision}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		fields = append(fields, name, r.Files[name])
	}
	for _, field := range fields {
		fmt.Fprintf(hash, "%d:%s", len(field), field)
	}
	return hex.EncodeToString(hash.Sum(nil))
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
