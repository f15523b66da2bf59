package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed hooks/hook.txt
var hook string

//go:embed hooks/main.txt
var testMain string

// pkg is the package whose code is mutated.
type pkg struct {
	Dir     string
	Name    string
	GoFiles []string
}

func load(pattern string) (pkg, error) {
	out, err := exec.Command("go", "list", "-json=Dir,Name,GoFiles", pattern).Output()
	if err != nil {
		return pkg{}, fmt.Errorf("go list %s: %w", pattern, err)
	}
	var p pkg
	if err := json.Unmarshal(out, &p); err != nil {
		return pkg{}, fmt.Errorf("go list %s: %w", pattern, err)
	}
	return p, nil
}

// build compiles the package's tests with all mutants, all switched off, into dir.
func (p pkg) build(dir string) (binary string, all []Mutant, err error) {
	replaced := map[string]string{}
	replace := func(name, source string) error {
		to := filepath.Join(dir, name)
		replaced[filepath.Join(p.Dir, name)] = to
		return os.WriteFile(to, []byte(source), 0o600)
	}
	for _, name := range p.GoFiles {
		raw, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return "", nil, err
		}
		in, err := instrument(name, string(raw), len(all)+1)
		if err != nil {
			return "", nil, err
		}
		all = append(all, in.mutants...)
		if err := replace(name, in.source); err != nil {
			return "", nil, err
		}
	}
	fill := strings.NewReplacer("PACKAGE", p.Name, "COUNT", strconv.Itoa(len(all))).Replace
	if err := replace("mutants_hook.go", fill(hook)); err != nil {
		return "", nil, err
	}
	if err := replace("mutants_main_test.go", fill(testMain)); err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "mutants.test")
	return binary, all, p.compile(dir, binary, replaced)
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
