package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMakeNeedsGo: without Go, or with one that is too old and may not fetch another, make says
// what to install, before it does anything. With Go it goes on.
func TestMakeNeedsGo(t *testing.T) {
	dir := t.TempDir()
	program := func(name, script string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o700))
		return file
	}
	old := "go: go.mod requires go >= 1.26.0 (running go 1.22.1; GOTOOLCHAIN=local)"
	for _, target := range []string{"build", "test"} {
		for name, c := range map[string]struct {
			program string
			says    string
			fails   bool
		}{
			"none":    {filepath.Join(dir, "none"), "install it from https://go.dev/dl", true},
			"too old": {program("old", "echo '"+old+"' >&2; exit 1"), "GOTOOLCHAIN=auto", true},
			"fitting": {program("fits", `echo "$2"`), "", false},
		} {
			command := exec.Command("make", "-C", "../..", target, "GO="+c.program)
			command.Env = append(os.Environ(), "MAKEFLAGS=")
			said, err := command.CombinedOutput()
			assert.Equal(t, c.fails, err != nil, "%s, %s: %s", target, name, said)
			assert.Contains(t, string(said), c.says)
		}
	}
}

// TestUpdateNamesPackages: make update writes the files of every package that has such files, and names no package that
// is not there.
func TestUpdateNamesPackages(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^\t\$\(GO\) test -timeout 40m (.*) -update$`).FindStringSubmatch(string(makefile))
	require.NotNil(t, line)
	expanded, err := exec.Command("bash", "-c", "echo "+line[1]).Output()
	require.NoError(t, err)
	has := []byte(`= flag.Bool("` + `update"`) // not this line
	var want []string
	require.NoError(t, filepath.WalkDir("../..", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(at, "_test.go") {
			return err
		}
		text, err := os.ReadFile(at)
		if bytes.Contains(text, has) {
			want = append(want, "./"+filepath.ToSlash(strings.TrimPrefix(filepath.Dir(at), filepath.Join("..", "..")+string(filepath.Separator))))
		}
		return err
	}))
	assert.ElementsMatch(t, want, strings.Fields(string(expanded)))
}

// TestToolsAreCountedAnew: Go would keep the result of a test that runs go, git or make, whatever these read; make test
// counts the packages of such tests anew.
func TestToolsAreCountedAnew(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^run_tools = (.*)$`).FindStringSubmatch(string(makefile))
	require.NotNil(t, line)
	counted := strings.Fields(line[1])
	runs := regexp.MustCompile(`exec\.Command(Context)?\(([^",]*, )?"(go|git|make)"`)
	above := regexp.MustCompile(`func Test(Frobber|Kubernetes|Pages|Nightly|Race)`) // such tests have a make target of their own
	require.NoError(t, filepath.WalkDir("../..", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(at, "_test.go") || strings.Contains(at, "/testdata/") {
			return err
		}
		text, err := os.ReadFile(at)
		dir := "./" + filepath.ToSlash(strings.TrimPrefix(filepath.Dir(at), "../../"))
		if runs.Match(text) && !above.Match(text) {
			named := slices.ContainsFunc(counted, func(c string) bool {
				under, all := strings.CutSuffix(c, "/...")
				return c == dir || all && strings.HasPrefix(dir, under+"/")
			})
			assert.True(t, named, "%s: its folder is not in run_tools", at)
		}
		return err
	}))
}
