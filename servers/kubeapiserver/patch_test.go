package kubeapiserver

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// small returns the packages that mainGo needs, by module.
func small(module string) map[string]string {
	switch module {
	case "k8s.io/kubernetes":
		return map[string]string{"cmd/kube-apiserver/app/it.go": "package app\n\nfunc NewAPIServerCommand() string { return \"\" }\n"}
	case "k8s.io/component-base":
		return map[string]string{
			"cli/it.go":                         "package cli\n\nfunc Run(string) int { return 0 }\n",
			"logs/json/register/it.go":          "package register\n",
			"metrics/prometheus/clientgo/it.go": "package clientgo\n",
			"metrics/prometheus/version/it.go":  "package version\n",
		}
	}
	return nil
}

// offered serves only the listed releases of small, and describes others too.
type offered []string

func (o offered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/@v/")
	version := strings.TrimSuffix(what, path.Ext(what))
	release := strings.Replace(version, "v0.", "v1.", 1)
	goMod := "module " + name + "\n\ngo 1.24\n"
	if name == "k8s.io/kubernetes" {
		goMod += "require k8s.io/component-base v0.0.0\nreplace k8s.io/component-base => ./staging/src/k8s.io/component-base\n"
	}
	switch {
	case small(name) == nil:
		http.NotFound(w, r)
	case what == "list":
		_, _ = fmt.Fprintln(w, strings.Join(o, "\n"))
	case path.Ext(what) == ".info":
		_, _ = fmt.Fprintf(w, `{"Version": %q, "Time": "2026-07-22T18:07:38Z"}`, version)
	case path.Ext(what) == ".mod":
		_, _ = w.Write([]byte(goMod))
	case slices.Contains(o, release):
		_, _ = w.Write(zipped(name+"@"+version, goMod, small(name)))
	default:
		http.Error(w, "This module version is not available.", http.StatusForbidden)
	}
}

func zipped(prefix, goMod string, files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, text string) {
		if w, err := z.Create(prefix + "/" + name); err == nil {
			_, _ = w.Write([]byte(text))
		}
	}
	add("go.mod", goMod)
	for name, text := range files {
		add(name, text)
	}
	_ = z.Close() // to memory
	return b.Bytes()
}

func (o offered) start(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw") // so that the directory can be removed
	t.Setenv("GOSUMDB", "off")         // which knows nothing of this proxy
}

// TestFrobberAnotherPatch: if a release is not available, Prefer uses another patch of its minor,
// and reports it. An available release is used.
func TestFrobberAnotherPatch(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	o := offered{"v1.35.4", "v1.36.0", "v1.36.1", "v1.36.2-rc.0"}
	for _, c := range []struct{ name, first, asked, version, instead string }{
		{"there", "", "v1.36.0", "v1.36.0", ""},
		{"not there", "", "v1.36.3", "v1.36.1", "kube-apiserver@v1.36.3"},
		{"another is built", "v1.36.0", "v1.36.3", "v1.36.0", "kube-apiserver@v1.36.3"},
		{"there, and another is built", "v1.36.0", "v1.36.1", "v1.36.1", ""},
		{"a minor", "", "v1.36", "v1.36.1", ""},
		{"a minor, one of which is built", "v1.36.0", "v1.36", "v1.36.0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o.start(t)
			cache, err := build.OpenCache(t.TempDir())
			require.NoError(t, err)
			if c.first != "" {
				_, err := Get(t.Context(), cache, c.first, nil)
				require.NoError(t, err)
			}
			b, err := Prefer(t.Context(), cache, c.asked, nil)
			require.NoError(t, err)
			assert.Equal(t, []string{c.version, "kube-apiserver@" + c.version, c.instead}, []string{b.Version, b.Reference, b.Asked})
			t.Setenv("GOPROXY", "off")
			t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
			again, err := Prefer(t.Context(), cache, c.asked, nil)
			require.NoError(t, err, "without a network")
			assert.Equal(t, b, again)
		})
	}
}

// TestFrobberAnotherPatchOffered: cached builds do not influence which patch is used.
func TestFrobberAnotherPatchOffered(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	offered{"v1.36.0", "v1.36.1"}.start(t)
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	_, err = Get(t.Context(), cache, "v1.36.0", nil)
	require.NoError(t, err)
	b, err := PreferOffered(t.Context(), cache, "v1.36.3", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"v1.36.1", "kube-apiserver@v1.36.3"}, []string{b.Version, b.Asked})
}

// TestNoPatch: if no patch of a minor is available, the error is that of the release.
func TestNoPatch(t *testing.T) {
	offered{"v1.35.4"}.start(t)
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	var request *servers.RequestError
	_, err = Prefer(t.Context(), cache, "v1.37.0", nil)
	require.ErrorAs(t, err, &request)
	assert.ErrorContains(t, err, "build kube-apiserver v1.37.0: cannot be fetched: ")
	_, err = Get(t.Context(), cache, "v1.35.3", nil)
	require.ErrorAs(t, err, &request, "who names a release means it")
}
