package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed hooks/hook.txt
var hook string

//go:embed hooks/state.txt
var state string

//go:embed hooks/main.txt
var testMain string

// hooks is the directory of the package that knows which mutant is on. It exists only in the
// overlay.
const hooks = "mutanthooks"

// pkg is a package whose code is mutated, and what it imports from the directories below its own.
type pkg struct {
	Dir          string
	ImportPath   string
	Name         string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	below        []pkg
}

// tested reports whether the package has tests.
func (p pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// load reads the package that the pattern names, and those below it.
func load(pattern string) (pkg, error) {
	root, err := list(pattern)
	if err != nil {
		return pkg{}, err
	}
	if len(root) != 1 {
		return pkg{}, fmt.Errorf("%s: names %d packages, want one", pattern, len(root))
	}
	p := root[0]
	all, err := list("-deps", pattern)
	for _, other := range all {
		if strings.HasPrefix(other.ImportPath, p.ImportPath+"/") {
			p.below = append(p.below, other)
		}
	}
	return p, err
}

// list asks the go command for packages.
func list(args ...string) (all []pkg, err error) {
	out, err := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,Name,GoFiles,TestGoFiles,XTestGoFiles"}, args...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(args, " "), err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list %s: %w", strings.Join(args, " "), err)
		}
		all = append(all, p)
	}
}

// overlay replaces files while the tests are compiled.
type overlay struct {
	dir      string // of the replacements
	replaced map[string]string
}

func (o *overlay) add(name, source string) error {
	to := filepath.Join(o.dir, fmt.Sprintf("%d-%s", len(o.replaced), filepath.Base(name)))
	o.replaced[name] = to
	return os.WriteFile(to, []byte(source), 0o600)
}

// binary is the compiled tests of one package. They run in the package's directory.
type binary struct{ file, dir string }

// build compiles the tests of the package and of those below it, with all mutants, all switched
// off, into dir.
func (p pkg) build(dir string) (binaries []binary, all []Mutant, err error) {
	o := &overlay{dir: dir, replaced: map[string]string{}}
	packages := append([]pkg{p}, p.below...)
	for _, one := range packages {
		if all, err = one.mutate(o, p, all); err != nil {
			return nil, nil, err
		}
	}
	if err := o.add(filepath.Join(p.Dir, hooks, "state.go"), state); err != nil {
		return nil, nil, err
	}
	packages = slices.DeleteFunc(packages, func(one pkg) bool { return !one.tested() })
	for _, one := range packages {
		fill := strings.NewReplacer("PACKAGE", one.Name, "HOOKS", p.ImportPath+"/"+hooks, "COUNT", strconv.Itoa(len(all))).Replace
		if err := o.add(filepath.Join(one.Dir, "mutants_main_test.go"), fill(testMain)); err != nil {
			return nil, nil, err
		}
	}
	for i, one := range packages {
		b := binary{filepath.Join(dir, fmt.Sprintf("mutants-%d.test", i)), one.Dir}
		if err := one.compile(dir, b.file, o.replaced); err != nil {
			return nil, nil, err
		}
		binaries = append(binaries, b)
	}
	return binaries, all, nil
}

// mutate adds the mutants of one package to those before. Their files are named relative to the
// directory of the tested package.
func (p pkg) mutate(o *overlay, tested pkg, all []Mutant) ([]Mutant, error) {
	for _, name := range p.GoFiles {
		file := filepath.Join(p.Dir, name)
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		in, err := instrument(name, string(raw), len(all)+1)
		if err != nil {
			return nil, err
		}
		for _, m := range in.mutants {
			m.File = strings.TrimPrefix(strings.TrimPrefix(p.ImportPath+"/"+name, tested.ImportPath), "/")
			all = append(all, m)
		}
		if err := o.add(file, in.source); err != nil {
			return nil, err
		}
	}
	fill := strings.NewReplacer("PACKAGE", p.Name, "HOOKS", tested.ImportPath+"/"+hooks).Replace
	return all, o.add(filepath.Join(p.Dir, "mutants_hook.go"), fill(hook))
}

func (p pkg) compile(dir, binary string, replaced map[string]string) error {
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		return err
	}
	cmd := exec.Command("go", "test", "-vet=off", "-overlay", name, "-c", "-o", binary, ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compile the mutants of %s: %w\n%s", p.Dir, err, out)
	}
	return nil
}
