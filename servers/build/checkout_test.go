package build

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// small returns the files of a program with the layout of Kubernetes.
func small() map[string]string {
	return map[string]string{
		"go.mod":                                            "module k8s.io/kubernetes\n\ngo 1.24\n\nrequire k8s.io/component-base v0.0.0\n\nreplace k8s.io/component-base => ./staging/src/k8s.io/component-base\n",
		"cmd/kube-apiserver/main.go":                        "package main\n\nimport \"k8s.io/component-base/version\"\n\nfunc main() { println(version.Tell()) }\n",
		"pkg/apis/core/types.go":                            "package core\n",
		"pkg/apis/core/types_test.go":                       "package core\n",
		"staging/src/k8s.io/component-base/go.mod":          "module k8s.io/component-base\n\ngo 1.24\n",
		"staging/src/k8s.io/component-base/version/base.go": "package version\n\nvar gitVersion string\n\nconst (\n\t// DefaultKubeBinaryVersion is it.\n\tDefaultKubeBinaryVersion = \"1.37\"\n)\n\nfunc Tell() string { return gitVersion }\n",
		".gitignore":                                        "/_output\n*.log\n",
	}
}

func plant(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		name := filepath.Join(folder, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// bare returns such a folder without git.
func bare(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kubernetes")
	plant(t, folder, small())
	return folder
}

// cloned returns such a folder with a commit, and a tag if it is not empty.
func cloned(t *testing.T, tag string) string {
	t.Helper()
	folder := bare(t)
	git(t, folder, "init", "-q")
	commit(t, folder)
	if tag != "" {
		git(t, folder, "tag", tag)
	}
	return folder
}

func commit(t *testing.T, folder string) {
	t.Helper()
	git(t, folder, "add", "-A")
	git(t, folder, "commit", "-q", "--allow-empty", "-m", "x")
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-07-22T18:07:38Z", "GIT_COMMITTER_DATE=2026-07-22T20:07:38+02:00", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

func opened(t *testing.T, folder string) *Checkout {
	t.Helper()
	c, err := OpenCheckout(t.Context(), folder)
	require.NoError(t, err)
	return c
}

// TestVersions: versions equal those of Kubernetes' own build.
func TestVersions(t *testing.T) {
	folder := cloned(t, "v1.37.0-alpha.1")
	assert.Equal(t, "v1.37.0-alpha.1", opened(t, folder).Version)
	plant(t, folder, map[string]string{"new.go": "package x\n"})
	assert.Equal(t, "v1.37.0-alpha.1-dirty", opened(t, folder).Version, "a file that is not added counts")
	commit(t, folder)
	hash := git(t, folder, "rev-parse", "HEAD")[:14]
	assert.Equal(t, "v1.37.0-alpha.1.1+"+hash, opened(t, folder).Version)
	plant(t, folder, map[string]string{"new.go": "package y\n"})
	c := opened(t, folder)
	assert.Equal(t, "v1.37.0-alpha.1.1+"+hash+"-dirty", c.Version)
	flags := strings.Join(c.LDFlags(), " ")
	for _, want := range []string{"gitMajor=1 ", "gitMinor=37+ ", "gitTreeState=dirty ", "gitCommit=" + git(t, folder, "rev-parse", "HEAD"), "buildDate=2026-07-22T18:07:38Z"} {
		assert.Contains(t, flags, "component-base/version."+want)
	}
	released := cloned(t, "v1.37.0")
	assert.Contains(t, strings.Join(opened(t, released).LDFlags(), " "), "gitMinor=37 ")
	commit(t, released)
	assert.Equal(t, "v1.37.0-1+"+git(t, released, "rev-parse", "HEAD")[:14], opened(t, released).Version)
}

// TestUntagged: without a tag the release comes from the code, and the content's digest
// replaces the commit.
func TestUntagged(t *testing.T) {
	folder, same := cloned(t, ""), bare(t)
	c := opened(t, folder)
	assert.Regexp(t, `^v1\.37\.0-dev\+[0-9a-f]{14}$`, c.Version)
	assert.Equal(t, c.Version, opened(t, same).Version, "with git or without")
	assert.Equal(t, c.Server().Digest, opened(t, same).Server().Digest)
	plant(t, folder, map[string]string{"pkg/apis/core/types.go": "package core // changed\n"})
	assert.NotEqual(t, c.Version, opened(t, folder).Version)
	git(t, folder, "tag", "nightly")
	assert.Regexp(t, `-dev\+`, opened(t, folder).Version, "the tag is not a version")
}

// TestKeys: the digest changes with everything that can change the program, and with nothing
// else.
func TestKeys(t *testing.T) {
	for _, each := range []struct {
		name                        string
		files                       map[string]string
		server, clients, clientSame bool
	}{
		{name: "a source", files: map[string]string{"pkg/apis/core/types.go": "package core // changed\n"}, server: true},
		{name: "a file that is not added", files: map[string]string{"pkg/apis/core/more.go": "package core\n"}, server: true},
		{name: "what may be embedded", files: map[string]string{"pkg/apis/core/text.md": "x"}, server: true},
		{name: "a module of its own", files: map[string]string{"staging/src/k8s.io/component-base/version/base.go": small()["staging/src/k8s.io/component-base/version/base.go"] + "\n// changed\n"}, server: true, clients: true},
		{name: "go.mod", files: map[string]string{"go.mod": small()["go.mod"] + "\n"}, server: true, clients: true},
		{name: "go.work", files: map[string]string{"go.work": "go 1.24\n\nuse .\n"}, server: true, clients: true},
		{name: "nothing", files: map[string]string{"go.mod": small()["go.mod"]}},
		{name: "a test", files: map[string]string{"pkg/apis/core/types_test.go": "package core // changed\n"}},
		{name: "what git ignores", files: map[string]string{"_output/bin/x": "x", "pkg/build.log": "x"}},
	} {
		t.Run(each.name, func(t *testing.T) {
			folder := cloned(t, "v1.37.0-alpha.1")
			plant(t, folder, map[string]string{"always": "dirty, so that only content differs"})
			before := opened(t, folder)
			plant(t, folder, each.files)
			after := opened(t, folder)
			assert.Equal(t, before.Version, after.Version)
			assert.Equal(t, each.server, before.Server().Digest != after.Server().Digest, "server")
			assert.Equal(t, each.clients, before.Clients("x").Digest != after.Clients("x").Digest, "clients")
		})
	}
}

// TestCommitsCount: equal content in another commit is another version.
func TestCommitsCount(t *testing.T) {
	folder := cloned(t, "v1.37.0-alpha.1")
	before := opened(t, folder)
	commit(t, folder)
	after := opened(t, folder)
	assert.NotEqual(t, before.Server().Digest, after.Server().Digest)
	assert.Equal(t, before.Revision(), after.Revision())
	assert.Regexp(t, `^go1\.`, after.Revision())
}

// TestCopies: the copy has the content of the digest, and the folder is unchanged.
func TestCopies(t *testing.T) {
	folder := cloned(t, "v1.37.0-alpha.1")
	plant(t, folder, map[string]string{"new.go": "package x\n", "_output/x": "x"})
	require.NoError(t, os.Symlink("new.go", filepath.Join(folder, "inside")))
	require.NoError(t, os.Symlink("../../secret", filepath.Join(folder, "outside")))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(folder, "absolute")))
	require.NoError(t, os.Remove(filepath.Join(folder, "pkg/apis/core/types.go")))
	index := stateOf(t, folder)
	c, to := opened(t, folder), t.TempDir()
	require.NoError(t, c.Server().Copy(t.Context(), to))
	var paths []string
	for path := range stateOf(t, to) {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	assert.Equal(t, []string{
		".gitignore", "cmd/kube-apiserver/main.go", "go.mod", "inside", "new.go",
		"staging/src/k8s.io/component-base/go.mod", "staging/src/k8s.io/component-base/version/base.go",
	}, paths)
	assert.Equal(t, index, stateOf(t, folder), "not even git's index is written")
	to = t.TempDir()
	require.NoError(t, c.Clients("x").Copy(t.Context(), to))
	assert.Equal(t, slices.Sorted(maps.Keys(map[string]bool{"go.mod": true, "staging/src/k8s.io/component-base/go.mod": true, "staging/src/k8s.io/component-base/version/base.go": true})),
		slices.Sorted(maps.Keys(stateOf(t, to))))
}

// stateOf returns the content of a folder with times, including .git.
func stateOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(folder, path)
		text, _ := os.ReadFile(path)
		all[filepath.ToSlash(inside)] = info.ModTime().String() + string(text)
		return err
	}))
	return all
}

// TestEditedMeanwhile: a file that is edited after it was read is not built.
func TestEditedMeanwhile(t *testing.T) {
	folder := cloned(t, "v1.37.0-alpha.1")
	c := opened(t, folder)
	plant(t, folder, map[string]string{"pkg/apis/core/types.go": "package core // edited\n"})
	err := c.Server().Copy(t.Context(), t.TempDir())
	assert.EqualError(t, err, filepath.Join(folder, "pkg/apis/core/types.go")+" changed while it was copied: run it again")
	require.NoError(t, os.Remove(filepath.Join(folder, "pkg/apis/core/types.go")))
	assert.ErrorContains(t, c.Server().Copy(t.Context(), t.TempDir()), "changed while it was copied")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, c.Server().Copy(ctx, t.TempDir()), context.Canceled)
}

// TestNoCheckout: the error says why a folder cannot be built.
func TestNoCheckout(t *testing.T) {
	for _, each := range []struct {
		name string
		do   func(t *testing.T, folder string)
		want string
	}{
		{"missing", func(t *testing.T, folder string) { require.NoError(t, os.RemoveAll(folder)) }, "no such folder; name the folder of a checkout of Kubernetes, which has its go.mod"},
		{"no go.mod", func(t *testing.T, folder string) { require.NoError(t, os.Remove(filepath.Join(folder, "go.mod"))) }, "has no go.mod; name the folder of a checkout of Kubernetes, which has its go.mod"},
		{"another module", func(t *testing.T, folder string) { plant(t, folder, map[string]string{"go.mod": "module x.invalid\n"}) }, "its go.mod is not that of k8s.io/kubernetes; name the folder of a checkout of Kubernetes, which has its go.mod"},
		{"a damaged go.mod", func(t *testing.T, folder string) { plant(t, folder, map[string]string{"go.mod": "modul x\n\n)"}) }, "go.mod:3:"},
		{"no API server", func(t *testing.T, folder string) { require.NoError(t, os.RemoveAll(filepath.Join(folder, "cmd"))) }, "has no cmd/kube-apiserver; name "},
		{"a replacement outside", func(t *testing.T, folder string) {
			plant(t, folder, map[string]string{"go.mod": small()["go.mod"] + "replace go.etcd.io/etcd => ../etcd\n"})
		}, `go.mod: replace go.etcd.io/etcd: "../etcd" is outside of the checkout, so changes there would not be noticed: move it into the checkout, or build it yourself and name the executable with path:FILE`},
		{"a workspace outside", func(t *testing.T, folder string) {
			plant(t, folder, map[string]string{"go.work": "go 1.24\n\nuse (\n\t.\n\t/srv/etcd\n)\n"})
		}, `go.work: use: "/srv/etcd" is outside of the checkout`},
		{"an invalid version", func(t *testing.T, folder string) {
			git(t, folder, "tag", "-f", "v2026_07")
			git(t, folder, "tag", "-d", "v1.37.0-alpha.1")
		}, `git describe: "v2026_07" is not a semantic version, so Kubernetes' own build would fail too: tag a commit as Kubernetes does, such as v1.37.0-alpha.1`},
		{"no version at all", func(t *testing.T, folder string) {
			git(t, folder, "tag", "-d", "v1.37.0-alpha.1")
			plant(t, folder, map[string]string{base: "package version\n"})
		}, "its version is unknown: git has no tag for it, and staging/src/k8s.io/component-base/version/base.go: has no DefaultKubeBinaryVersion; fetch the tags (git fetch --tags), or tag a commit, such as v1.37.0-alpha.1"},
	} {
		t.Run(each.name, func(t *testing.T) {
			folder := cloned(t, "v1.37.0-alpha.1")
			each.do(t, folder)
			_, err := OpenCheckout(t.Context(), folder)
			var request *servers.RequestError
			require.ErrorAs(t, err, &request)
			assert.ErrorContains(t, err, "source:"+folder+": ")
			assert.ErrorContains(t, err, each.want)
		})
	}
}

// TestNoGit: without the git command a repository cannot be read; another folder can.
func TestNoGit(t *testing.T) {
	repository, folder := cloned(t, "v1.37.0-alpha.1"), bare(t)
	tools := t.TempDir()
	goTool, err := exec.LookPath("go")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(goTool, filepath.Join(tools, "go")))
	t.Setenv("PATH", tools)
	_, err = OpenCheckout(t.Context(), repository)
	assert.ErrorContains(t, err, "the git command is needed to find changes in the checkout")
	assert.Regexp(t, `-dev\+`, opened(t, folder).Version)
}

// TestUnreadableRepository: the error quotes git for a repository that git cannot read. It
// suggests to commit, or to remove .git, only if there is no commit.
func TestUnreadableRepository(t *testing.T) {
	const wayOut = "; commit something first, or remove .git"
	for _, each := range []struct {
		name   string
		do     func(t *testing.T, folder string)
		want   string
		advice bool
	}{
		{"another user's", func(t *testing.T, _ string) { anotherUsers(t) }, "fatal: detected dubious ownership in repository at ", false},
		{"another user's, without a commit", func(t *testing.T, folder string) { noCommit(t, folder); anotherUsers(t) }, "fatal: detected dubious ownership in repository at ", false},
		{"damaged", func(t *testing.T, folder string) {
			require.NoError(t, os.RemoveAll(filepath.Join(folder, ".git", "objects")))
			require.NoError(t, os.Mkdir(filepath.Join(folder, ".git", "objects"), 0o700))
		}, "fatal: ", false},
		{"no commit", noCommit, "fatal: ", true},
	} {
		t.Run(each.name, func(t *testing.T) {
			folder := cloned(t, "v1.37.0-alpha.1")
			each.do(t, folder)
			_, err := OpenCheckout(t.Context(), folder)
			var request *servers.RequestError
			require.ErrorAs(t, err, &request)
			assert.ErrorContains(t, err, each.want)
			assert.Equal(t, each.advice, strings.HasSuffix(err.Error(), wayOut), "%v", err)
		})
	}
}

func noCommit(t *testing.T, folder string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(filepath.Join(folder, ".git")))
	git(t, folder, "init", "-q")
}

// anotherUsers makes git treat each repository as another user's, as git's own tests do.
func anotherUsers(t *testing.T) {
	t.Helper()
	tool, err := exec.LookPath("git")
	require.NoError(t, err)
	tools := t.TempDir()
	script := "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null exec '" + tool + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(tools, "git"), []byte(script), 0o700))
	t.Setenv("PATH", tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
