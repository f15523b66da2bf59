package gobuild

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

// workshop is where one build happens: a directory that is removed afterwards.
type workshop struct {
	recipe   Recipe
	dir      string
	progress Progress
	exact    bool // no module may stand in for another
}

func (w workshop) module() string  { return filepath.Join(w.dir, "module") }
func (w workshop) product() string { return filepath.Join(w.dir, "product") }

// build leaves the executable and its record in the product directory, and tells what
// stands in for modules that could not be had.
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

// unfit says of a program that does not compile what it was to be built with: then it
// can as little be had as one whose modules nothing stands in for.
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

// lay puts what is compiled into the module's directory.
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

// packages counts what the program is built from, and tells what stands in for modules
// that could not be had. In a tree nothing does: its go.mod is somebody's own.
func (w workshop) packages(ctx context.Context, tool *Go, m Module) (total int, substituted []string, err error) {
	if w.recipe.Tree == nil {
		return substituter{tool, m, w.recipe.target(), w.progress}.packages(ctx, w.exact)
	}
	text, err := tool.Output(ctx, "list", "-deps", w.recipe.target())
	return strings.Count(text, "\n"), nil, err
}

// compile builds the program of so many packages.
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

// isPackage tells, in what go build -v prints, the names of compiled packages
// from messages.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " :#\t")
}
