package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
)

// plantCheckout writes what is built as Kubernetes is, in the blink of an eye.
func plantCheckout(t *testing.T, minor string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kubernetes")
	for path, text := range map[string]string{
		"go.mod":                     "module k8s.io/kubernetes\n\ngo 1.24\n",
		"cmd/kube-apiserver/main.go": "package main\n\nfunc main() { println(1) }\n",
		"staging/src/k8s.io/component-base/version/base.go": "package version\n\nconst DefaultKubeBinaryVersion = \"" + minor + "\"\n",
	} {
		name := filepath.Join(folder, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	return folder
}

// ran is what a command line prints, and the code that it exits with.
func ran(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), &App{Out: &out, Err: &err}, args)
	return out.String(), err.String(), code
}

// TestBuildsGet: several at once, each with its path and what it took; a second time they
// are cached, and a change of one has that one built.
func TestBuildsGet(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "cache"))
	first, second := "source:"+plantCheckout(t, "1.36"), "source:"+plantCheckout(t, "1.37")
	out, said, code := ran(t, "builds", "get", second, first, second)
	require.Zero(t, code, said)
	paths := strings.Fields(out)
	require.Len(t, paths, 3)
	assert.Equal(t, paths[0], paths[2], "in the order in which they are asked for")
	assert.Contains(t, paths[0], "kube-apiserver-v1.37.0-dev+")
	assert.Contains(t, paths[1], "kube-apiserver-v1.36.0-dev+")
	for _, name := range []string{first, second} {
		assert.Regexp(t, `(?m)^`+name+`: compiling kube-apiserver v1\.3[67]\.0-dev\+`, said)
		assert.Regexp(t, `(?m)^`+name+`: built in [0-9.]+s$`, said)
	}
	out, said, code = ran(t, "builds", "get", first)
	assert.Zero(t, code)
	assert.Equal(t, paths[1]+"\n", out)
	assert.Regexp(t, `^`+first+`: cached, handed out in [0-9.]+s; built in [0-9.]+s\n$`, said)
	require.NoError(t, os.WriteFile(filepath.Join(strings.TrimPrefix(first, "source:"), "cmd", "kube-apiserver", "more.go"), []byte("package main\n\nfunc init() { println(2) }\n"), 0o600))
	out, said, code = ran(t, "builds", "get", first, second)
	assert.Zero(t, code, said)
	again := strings.Fields(out)
	assert.NotEqual(t, paths[1], again[0])
	assert.Equal(t, paths[0], again[1])
	assert.Contains(t, said, first+": built in ")
	assert.Contains(t, said, second+": cached, ")
}

// TestBuildsGetWrong: one that cannot be made does not stop the others, and the worst
// decides.
func TestBuildsGetWrong(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "cache"))
	good, broken := plantCheckout(t, "1.37"), plantCheckout(t, "1.37")
	require.NoError(t, os.WriteFile(filepath.Join(broken, "cmd", "kube-apiserver", "main.go"), []byte("package main\n\nfunc main() { nothing() }\n"), 0o600))
	out, said, code := ran(t, "builds", "get", "nonsense", "source:"+broken, "source:"+good, "source:/nowhere")
	assert.Equal(t, ExitUnjudged, code)
	assert.Len(t, strings.Fields(out), 1)
	assert.Regexp(t, `(?m)^skewsim: reference "nonsense": not understood`, said)
	assert.Contains(t, said, "skewsim: source:/nowhere: no such folder; name the folder of a checkout of Kubernetes, which has its go.mod\n")
	assert.Regexp(t, `(?m)^skewsim: build kube-apiserver v1\.37\.0-dev\+[0-9a-f]{14}: go build: `, said)
	assert.Contains(t, said, "undefined: nothing")
	_, said, code = ran(t, "builds", "get", "nonsense", "source:"+good)
	assert.Equal(t, ExitUsage, code, said)
	_, said, code = ran(t, "builds", "get", "-j", "0", "source:"+good)
	assert.Equal(t, ExitUsage, code)
	assert.Equal(t, "skewsim: builds get: --jobs 0: must be greater than 0\n", strings.Replace(said, "skewsim: --jobs", "skewsim: builds get: --jobs", 1))
	_, said, code = ran(t, "builds", "get", "typed-client@source:/nowhere")
	assert.Equal(t, ExitUsage, code, said)
}

// TestBuildsList: what was built of a checkout is listed as what it is, and no list of
// releases has it.
func TestBuildsList(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "cache"))
	folder := plantCheckout(t, "1.37")
	a := &App{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	b, err := a.Builder().Build(t.Context(), servers.Reference{Scheme: servers.SchemeSource, Path: folder})
	require.NoError(t, err)
	var rows []buildRow
	require.NoError(t, json.Unmarshal([]byte(told(t, "builds", "list", "-o", "json")), &rows))
	require.Len(t, rows, 1)
	assert.Equal(t, []string{"source:" + folder, b.Version, "checkout", b.Digest, b.Path}, []string{rows[0].Reference, rows[0].Version, rows[0].Source, rows[0].Digest, rows[0].Path})
	assert.False(t, rows[0].Used.Before(rows[0].Built))
	assert.Regexp(t, `^BUILD +VERSION +SOURCE +DIGEST +SIZE +GO +AGE +USED +TOOK +SUBSTITUTED +FROM\nsource:`, told(t, "builds", "list"))
	built, err := builder.CachedReleases()
	require.NoError(t, err)
	assert.Empty(t, built)
	assert.Equal(t, "source:"+folder+": removed\n", told(t, "builds", "rm", "source:"+folder))
}

// TestBuildsPrune: builds by name, leftovers together.
func TestBuildsPrune(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("SKEWSIM_CACHE", cache)
	ref := "source:" + plantCheckout(t, "1.37")
	_, said, code := ran(t, "builds", "get", ref)
	require.Zero(t, code, said)
	assert.Equal(t, "0 builds and 0 leftovers removed, 0 MB\n", told(t, "builds", "prune"))
	assert.Regexp(t, `^0 builds and 0 leftovers removed`, told(t, "builds", "prune", "--keep", "1"))
	assert.Regexp(t, `^`+ref+` \([0-9a-f]{12}\): would be removed, \d+ MB\n1 build and 0 leftovers would be removed, \d+ MB\n$`, told(t, "builds", "prune", "--older-than", "1ns", "--dry-run"))
	assert.NotContains(t, told(t, "builds", "list"), " damaged ")
	built, err := builder.Cached()
	require.NoError(t, err)
	require.NoError(t, os.Truncate(built[0].Path, 1))
	assert.Contains(t, told(t, "builds", "list"), " damaged ")
	assert.Contains(t, told(t, "builds", "list", "-o", "json"), `"damaged": true`)
	assert.Regexp(t, `^`+ref+` \([0-9a-f]{12}\): would be removed, damaged\n1 build`, told(t, "builds", "prune", "--dry-run"))
	assert.Regexp(t, `^`+ref+` \([0-9a-f]{12}\): removed, damaged\n1 build and 2 leftovers removed, 0 MB\n$`, told(t, "builds", "prune"))
	for flag, want := range map[string]string{
		"--keep=0": "--keep 0: must be greater than 0", "--older-than=month": `--older-than "month": want days or hours, such as 30d or 12h`,
		"--older-than=-1d": `--older-than "-1d": want`, "--older-than=99999999d": "want days", "--max-size=20": `--max-size "20": want a size, such as 20GB or 500MB`,
		"--max-size=0GB": `--max-size "0GB"`, "--max-size=9999999GB": "want a size",
	} {
		_, said, code := ran(t, "builds", "prune", flag)
		assert.Equal(t, ExitUsage, code, flag)
		assert.Contains(t, said, want, flag)
	}
}
