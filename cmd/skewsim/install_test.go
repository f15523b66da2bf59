package main

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// checkedIn is a file of this repository as a module's zip holds it.
type checkedIn string

func (f checkedIn) Path() string                 { return string(f) }
func (f checkedIn) Lstat() (fs.FileInfo, error)  { return os.Lstat(f.at()) }
func (f checkedIn) Open() (io.ReadCloser, error) { return os.Open(f.at()) }
func (f checkedIn) at() string                   { return filepath.Join("../..", string(f)) }

// moduleFiles returns the files of this repository, with its changes.
func moduleFiles(t *testing.T) (files []modzip.File) {
	t.Helper()
	listed, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "-co", "--exclude-standard").Output()
	require.NoError(t, err)
	for name := range strings.SplitSeq(strings.TrimRight(string(listed), "\x00"), "\x00") {
		if _, err := os.Lstat(checkedIn(name).at()); err == nil { // it is not deleted
			files = append(files, checkedIn(name))
		}
	}
	return files
}

// TestModuleInstalls: go install of a version takes the module: its files fit into a module's zip, and
// its go.mod has no directive that go install refuses.
func TestModuleInstalls(t *testing.T) {
	assert.NoError(t, modzip.Create(io.Discard, module.Version{Path: "github.com/skewsim/skewsim", Version: "v0.0.1"}, moduleFiles(t)))
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	parsed, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	assert.Empty(t, parsed.Replace)
	assert.Empty(t, parsed.Exclude)
}

// moduleProxy returns a file:// module proxy that serves this repository, with its changes, as
// one version of the module.
func moduleProxy(t *testing.T, m module.Version) string {
	t.Helper()
	root := t.TempDir()
	at := filepath.Join(root, filepath.FromSlash(m.Path), "@v", m.Version)
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
	archive, err := os.Create(at + ".zip")
	require.NoError(t, err)
	defer archive.Close()
	require.NoError(t, modzip.Create(archive, m, moduleFiles(t)))
	gomod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(at+".mod", gomod, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(at), "list"), []byte(m.Version+"\n"), 0o600))
	require.NoError(t, os.WriteFile(at+".info", []byte(`{"Version":"`+m.Version+`"}`), 0o600))
	return "file://" + filepath.ToSlash(root)
}

// goEnv returns a setting of the go command.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	value, err := exec.Command("go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(value))
}

// TestPagesInstall: go install of a version, into empty directories, gives a tool that plays the
// reference server, which it is itself: nothing is built. Only what the go command compiles is shared
// with other tests, and other modules come from its cache, so that the network is not needed.
func TestPagesInstall(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	m := module.Version{Path: "github.com/skewsim/skewsim", Version: "v0.0.1-install"}
	proxies := []string{moduleProxy(t, m), "file://" + filepath.ToSlash(goEnv(t, "GOMODCACHE")) + "/cache/download"}
	bin, cache, modules := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("GOMODCACHE", modules)
	t.Cleanup(func() { _ = exec.Command("go", "clean", "-modcache").Run() }) // it is read-only; t.TempDir fails if it stays
	t.Setenv("GOPROXY", strings.Join(proxies, ","))
	t.Setenv("GOSUMDB", "off") // nobody published this version
	t.Setenv("GOFLAGS", "-trimpath")
	t.Setenv("GOBIN", bin)
	t.Setenv("SKEWSIM_CACHE", cache)
	t.Setenv("PATH", withoutFrobber(os.Getenv("PATH")))
	t.Chdir(t.TempDir())
	said, err := exec.Command("go", "install", m.Path+"/cmd/skewsim@"+m.Version).CombinedOutput()
	require.NoError(t, err, "%s", said)

	r := real{t, filepath.Join(bin, "skewsim")}
	var is Version
	require.NoError(t, json.Unmarshal([]byte(r.run("version", "--output", "json").stdout), &is))
	assert.Equal(t, m.Version, is.Version)
	first := r.run("run", "add-field", "--quiet", "--out", "first")
	assert.Equal(t, ExitExpected, first.code, first.stderr)
	var judged result.Result
	raw, err := os.ReadFile("first/result.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &judged))
	assert.Equal(t, m.Version, judged.Tool)
	second := r.run("run", "add-field+required", "--quiet", "--out", "second")
	assert.Equal(t, ExitDiffers, second.code, second.stderr)
	assert.Empty(t, r.run("builds", "list", "-o", "name").stdout)
}
