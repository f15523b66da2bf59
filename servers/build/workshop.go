package build

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// workshop is the directory of one build. It is removed afterwards.
type workshop struct {
	recipe   Recipe
	dir      string
	progress Progress
	exact    bool // no module may be substituted
}

func (w workshop) module() string  { return filepath.Join(w.dir, "module") }
func (w workshop) product() string { return filepath.Join(w.dir, "product") }

// build leaves the executable and its record in the product directory, and returns the
// substituted modules.
func (w workshop) build(ctx context.Context) (substituted []string, err error) {
	began := time.Now()
	tool, err := w.tool()
	if err != nil {
		return nil, err
	}
	w.progress.Phase("resolving " + w.recipe.String())
	module, err := w.recipe.Resolve(ctx, tool)
	if err != nil {
		return nil, err
	}
	if err := w.lay(ctx, tool, module); err != nil {
		return nil, explainFile(err)
	}
	toolchain, err := tool.Output(ctx, "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	total, substituted, err := w.packages(ctx, tool, module)
	if err != nil {
		return nil, err
	}
	if err := w.compile(ctx, tool, module, total); err != nil {
		return nil, unfit(err, substituted)
	}
	return substituted, explainFile(record(w.product(), Built{
		Name: w.recipe.Name, Version: w.recipe.Version, Reference: w.recipe.Reference, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Recipe: w.recipe.digest(), Toolchain: strings.TrimSpace(toolchain), Substituted: substituted, At: began.UTC(), Took: time.Since(began),
	}))
}

// unfit returns an error for a program that does not compile with its substituted modules: it
// is as unavailable as one for whose modules no substitute exists.
func unfit(err error, substituted []string) error {
	if len(substituted) == 0 || errors.Is(err, ErrDiskFull) || errors.Is(err, context.Canceled) {
		return err
	}
	return &UnavailableError{fmt.Errorf("with %s: %w; name another release", strings.Join(substituted, ", "), err)}
}

func (w workshop) tool() (*Go, error) {
	for _, dir := range []string{w.module(), w.product(), filepath.Join(w.dir, "tmp")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, explainFile(err)
		}
	}
	return newGo(w.module(), filepath.Join(w.dir, "tmp"), w.progress)
}

// lay writes the sources to the module's directory.
func (w workshop) lay(ctx context.Context, tool *Go, m Module) error {
	if w.recipe.Tree != nil {
		return w.layTree(ctx, tool)
	}
	files := map[string]string{"go.mod": m.GoMod}
	if w.recipe.Main != "" {
		files["main.go"] = w.recipe.Main
	}
	maps.Copy(files, w.recipe.Files)
	return write(w.module(), files)
}

func write(dir string, files map[string]string) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// packages counts the packages of the program, and returns the substituted modules. In a tree
// none is substituted, because its go.mod belongs to the user.
func (w workshop) packages(ctx context.Context, tool *Go, m Module) (total int, substituted []string, err error) {
	if w.recipe.Tree == nil {
		return substituter{tool, m, w.recipe.target(), w.progress}.packages(ctx, w.exact)
	}
	total, err = w.treePackages(ctx, tool)
	return total, nil, err
}

// compile builds the program of total packages.
func (w workshop) compile(ctx context.Context, tool *Go, m Module, total int) error {
	done := 0
	w.progress.Phase("compiling " + w.recipe.String())
	err := tool.run(ctx, func(line string) {
		if isPackage(line) && done < total {
			done++
			w.progress.Packages(done, total)
		}
	}, "build", "-v", "-trimpath", "-ldflags", strings.Join(append([]string{"-s", "-w"}, m.LDFlags...), " "),
		"-o", filepath.Join(w.product(), w.recipe.Name), w.recipe.target())
	if err == nil {
		w.progress.Packages(total, total)
	}
	return err
}

// isPackage reports whether a line of go build -v is the name of a compiled package rather than
// a message.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " :#\t")
}
