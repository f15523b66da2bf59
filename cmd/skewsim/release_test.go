package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/neighbours"
)

// succeeds runs a program in a directory, and returns its output.
func succeeds(t *testing.T, dir string, words ...string) string {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%v: %s", words, tail(string(out)))
	return string(out)
}

// released builds a version of a commit, from a clone, for this platform.
func released(t *testing.T, version, commit string) (dir string) {
	t.Helper()
	clone, dir := filepath.Join(t.TempDir(), "clone"), filepath.Join(t.TempDir(), "release")
	succeeds(t, "../..", "git", "clone", "-q", ".", clone)
	succeeds(t, clone, "git", "checkout", "-q", commit)
	succeeds(t, clone, "env", "PLATFORMS=linux/"+runtime.GOARCH, "IMAGE="+strings.ToLower(t.Name()), ".ci/release", version, dir)
	return dir
}

// compareBill compares a bill of materials with the modules that a program itself says it is built of.
func compareBill(t *testing.T, file, program string) {
	t.Helper()
	var bill struct {
		BOMFormat  string
		Components []struct{ Name, Version string }
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &bill))
	assert.Equal(t, "CycloneDX", bill.BOMFormat)
	info, err := buildinfo.ReadFile(program)
	require.NoError(t, err)
	var want, listed []string
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		want = append(want, m.Path+"@"+m.Version)
	}
	for _, c := range bill.Components {
		listed = append(listed, c.Name+"@"+c.Version)
	}
	assert.ElementsMatch(t, want, listed, file)
}

// TestNightlyRelease: two clones give the same bytes. The archive has all of a release, and its skewsim
// says its version and plays Frobber, which it is itself. The image plays Frobber, and
// definitions with a mounted cache, as a user that is not root.
func TestNightlyRelease(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	const version = "v0.0.1-test"
	commit := strings.TrimSpace(succeeds(t, "../..", "git", "rev-parse", "HEAD"))
	dir, again := released(t, version, commit), released(t, version, commit)
	sums, err := os.ReadFile(filepath.Join(dir, "checksums.txt"))
	require.NoError(t, err)
	other, err := os.ReadFile(filepath.Join(again, "checksums.txt"))
	require.NoError(t, err)
	assert.Equal(t, string(sums), string(other))
	t.Logf("two builds:\n%s", sums)
	succeeds(t, dir, "sha256sum", "--check", "checksums.txt")

	name := fmt.Sprintf("skewsim_%s_linux_%s", version, runtime.GOARCH)
	unpacked := t.TempDir()
	succeeds(t, unpacked, "tar", "-xzf", filepath.Join(dir, name+".tar.gz"))
	for _, file := range []string{"LICENSE", "README.md", "man/skewsim-run.1", "completions/skewsim.bash", "completions/skewsim.zsh", "frobber-apiserver"} {
		assert.FileExists(t, filepath.Join(unpacked, name, file))
	}
	r := real{t, filepath.Join(unpacked, name, "skewsim")}
	var is Version
	require.NoError(t, json.Unmarshal([]byte(r.run("version", "-o", "json").stdout), &is))
	assert.Equal(t, version, is.Version)
	assert.Equal(t, commit, is.Commit)
	assert.NotEmpty(t, is.Date)
	t.Setenv("PATH", withoutFrobber(os.Getenv("PATH")))
	assert.Equal(t, ExitExpected, r.run("run", "add-field", "--quiet", "--out", filepath.Join(t.TempDir(), "out")).code)

	for _, program := range []string{"skewsim", "frobber-apiserver"} {
		compareBill(t, filepath.Join(dir, name+"_"+program+".cdx.json"), filepath.Join(unpacked, name, program))
	}

	image := strings.ToLower(t.Name()) + ":" + version
	succeeds(t, dir, "docker", "load", "-i", name+"_image.tar")
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", "-f", image).Run() })
	run := []string{"docker", "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp", "--tmpfs=/work:mode=1777,uid=65532"}
	assert.Contains(t, succeeds(t, dir, append(run, image, "version")...), version)
	assert.Contains(t, succeeds(t, dir, append(run, image, "run", "add-field", "--quiet")...), "PASS")
	neighbours.Pair(t) // a kube-apiserver is in the cache
	cache, err := build.Place("")
	require.NoError(t, err)
	user := fmt.Sprintf("--user=%d:%d", os.Getuid(), os.Getgid())
	assert.Contains(t, succeeds(t, dir, append(run, user, "--volume="+cache+":/cache", image, "run", "crd-added-field", "--quiet")...), "PASS")
}
