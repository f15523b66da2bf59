package build_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// shelf is a module proxy. It describes all of its versions, but serves only those that it does
// not withhold.
type shelf struct {
	requires map[string]string // by module@version: what else its go.mod requires
	withheld []string
	bare     []string // those that have no Version
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/@v/")
	version := strings.TrimSuffix(what, path.Ext(what))
	m := name + "@" + version
	goMod := "module " + name + "\n\ngo 1.24\n" + s.requires[m]
	_, known := s.requires[m]
	switch {
	case what == "list":
		_, _ = fmt.Fprintln(w, strings.Join(s.listed(name), "\n"))
	case !known, path.Ext(what) == ".zip" && slices.Contains(s.withheld, m):
		http.Error(w, "This module version is not available.", http.StatusForbidden)
	case path.Ext(what) == ".info":
		_, _ = fmt.Fprintf(w, `{"Version": %q, "Time": "2026-07-22T18:07:38Z"}`, version)
	case path.Ext(what) == ".mod":
		_, _ = w.Write([]byte(goMod))
	default:
		code := fmt.Sprintf("package %s\n", path.Base(name))
		if !slices.Contains(s.bare, m) {
			code += fmt.Sprintf("\nconst Version = %q\n", version)
		}
		_, _ = w.Write(zipped(m, map[string]string{"go.mod": goMod, "it.go": code}))
	}
}

func (s *shelf) listed(name string) (all []string) {
	for m := range s.requires {
		if version, ok := strings.CutPrefix(m, name+"@"); ok {
			all = append(all, version)
		}
	}
	slices.Sort(all)
	return all
}

func zipped(m string, files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		if w, err := z.Create(m + "/" + name); err == nil {
			_, _ = w.Write([]byte(text))
		}
	}
	_ = z.Close() // to memory
	return b.Bytes()
}

func (s *shelf) start(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw") // so that the directory can be removed
	t.Setenv("GOSUMDB", "off")         // which knows nothing of this proxy
}

const versions = `package main

import (
	"example.org/left"
	"example.org/right"
)

func main() { println(left.Version, right.Version) }
`

// pinned requires v1.0.0 of two modules. Left belongs to the program's release.
func pinned(goMod string) build.Recipe {
	return build.Recipe{
		Name: "versions", Version: "v1", Main: versions,
		Resolve: func(context.Context, *build.Go) (build.Module, error) {
			return build.Module{
				GoMod: "module versions\n\ngo 1.24\n\nrequire example.org/left v1.0.0\nrequire example.org/right v1.0.0\n" + goMod,
				Own:   func(m module.Version) bool { return m.Path == "example.org/left" },
			}, nil
		},
	}
}

// TestFrobberSubstituted: a withheld version is replaced by the nearest later one that is served;
// the build lists it, and modules that change as a result.
func TestFrobberSubstituted(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	requires := map[string]string{
		"example.org/left@v1.0.0": "", "example.org/left@v1.0.1": "require example.org/right v1.0.3\n", "example.org/left@v1.1.0": "",
		"example.org/right@v1.0.0": "", "example.org/right@v1.0.1-rc.1": "", "example.org/right@v1.0.2": "", "example.org/right@v1.0.3": "", "example.org/right@v1.1.0": "",
		"example.org/right@v0.9.0": "",
	}
	for _, c := range []struct {
		name, goMod string
		withheld    []string
		prints      string
		want        []string
	}{
		{"all is there", "", nil, "v1.0.0 v1.0.0", nil},
		{"what nobody asks for is not", "", []string{"example.org/left@v1.0.1"}, "v1.0.0 v1.0.0", nil},
		{"no pre-release", "", []string{"example.org/right@v1.0.0"}, "v1.0.0 v1.0.2", []string{"example.org/right v1.0.0 -> v1.0.2"}},
		{"another minor", "", []string{"example.org/right@v1.0.0", "example.org/right@v1.0.2", "example.org/right@v1.0.3"}, "v1.0.0 v1.1.0",
			[]string{"example.org/right v1.0.0 -> v1.1.0"}},
		{"moves another", "", []string{"example.org/left@v1.0.0"}, "v1.0.1 v1.0.3",
			[]string{"example.org/left v1.0.0 -> v1.0.1", "example.org/right v1.0.0 -> v1.0.3"}},
		{"moves what is withheld too", "", []string{"example.org/left@v1.0.0", "example.org/right@v1.0.3"}, "v1.0.1 v1.1.0",
			[]string{"example.org/left v1.0.0 -> v1.0.1", "example.org/right v1.0.0 -> v1.1.0"}},
		{"a replacement", "replace example.org/right => example.org/right v0.9.0\n", []string{"example.org/right@v0.9.0"}, "v1.0.0 v1.0.0",
			[]string{"example.org/right v0.9.0 -> v1.0.0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			(&shelf{requires: requires, withheld: c.withheld}).start(t)
			cache, d := open(t), &diary{}
			b := get(t, cache, pinned(c.goMod), d)
			assert.Equal(t, c.want, b.Substituted)
			out, err := exec.Command(b.Path).CombinedOutput()
			require.NoError(t, err)
			assert.Equal(t, c.prints+"\n", string(out))
			assert.Equal(t, c.want != nil, strings.Contains(d.all(), " is not available: "), d.all())
			t.Setenv("GOPROXY", "off")
			assert.Equal(t, b, get(t, cache, pinned(c.goMod), nil), "from the cache")
		})
	}
}

// TestFrobberSubstitutedIsAnother: a build with substituted modules is not used if substitution
// is forbidden, and is replaced by the exact one.
func TestFrobberSubstitutedIsAnother(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	requires := map[string]string{"example.org/left@v1.0.0": "", "example.org/right@v1.0.0": "", "example.org/right@v1.0.1": ""}
	(&shelf{requires: requires, withheld: []string{"example.org/right@v1.0.0"}}).start(t)
	dir := t.TempDir()
	inexact, err := build.OpenCache(dir)
	require.NoError(t, err)
	other := get(t, inexact, pinned(""), nil)
	require.NotEmpty(t, other.Substituted)
	assert.True(t, inexact.Has(pinned("")), "it serves")
	t.Setenv("SKEWSIM_EXACT", "1")
	exact, err := build.OpenCache(dir)
	require.NoError(t, err)
	assert.False(t, exact.Has(pinned("")), "it does not serve")
	_, err = exact.Get(t.Context(), pinned(""), nil)
	var lacks *build.UnavailableError
	require.ErrorAs(t, err, &lacks)
	assert.ErrorContains(t, err, "SKEWSIM_EXACT forbids other versions")
	(&shelf{requires: requires}).start(t)
	built := get(t, exact, pinned(""), nil)
	assert.Empty(t, built.Substituted)
	assert.True(t, exact.Has(pinned("")))
	assert.NotEqual(t, other.Key, built.Key)
	assert.Equal(t, built, get(t, inexact, pinned(""), nil))
}

// TestFrobberNothingStandsIn: the error says which module is not available.
func TestFrobberNothingStandsIn(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	requires := map[string]string{
		"example.org/left@v1.0.0": "", "example.org/left@v1.1.0": "", "example.org/right@v1.0.0": "", "example.org/right@v0.9.0": "",
	}
	for withheld, want := range map[string]string{
		"example.org/left@v1.0.0":  "example.org/left@v1.0.0 is part of the release itself, and no later patch of it is available: name another release",
		"example.org/right@v1.0.0": "no later version of example.org/right@v1.0.0 is available: name another release",
	} {
		t.Run(withheld, func(t *testing.T) {
			(&shelf{requires: requires, withheld: []string{withheld}}).start(t)
			cache := open(t)
			_, err := cache.Get(t.Context(), pinned(""), nil)
			var lacks *build.UnavailableError
			require.ErrorAs(t, err, &lacks)
			assert.ErrorContains(t, err, withheld+": reading http://")
			assert.ErrorContains(t, err, "403 Forbidden")
			assert.ErrorContains(t, err, want)
			assert.Empty(t, entries(t, cache))
		})
	}
}

// TestFrobberUnfit: a program that does not compile with substituted modules is unavailable; a
// program that does not compile without them is wrong.
func TestFrobberUnfit(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	requires := map[string]string{"example.org/left@v1.0.0": "", "example.org/right@v1.0.0": "", "example.org/right@v1.0.1": ""}
	for _, c := range []struct {
		withheld, bare, says string
		unavailable          bool
	}{
		{"example.org/right@v1.0.0", "example.org/right@v1.0.1", "with example.org/right v1.0.0 -> v1.0.1: go build: ", true},
		{"", "example.org/right@v1.0.0", "build versions v1: go build: ", false},
	} {
		(&shelf{requires: requires, withheld: []string{c.withheld}, bare: []string{c.bare}}).start(t)
		_, err := open(t).Get(t.Context(), pinned(""), nil)
		require.ErrorContains(t, err, c.says)
		assert.ErrorContains(t, err, "undefined: right.Version")
		var lacks *build.UnavailableError
		assert.Equal(t, c.unavailable, errors.As(err, &lacks))
	}
}
