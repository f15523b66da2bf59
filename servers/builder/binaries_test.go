package builder

import (
	"crypto/sha512"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// kubeAPIServer is a script that says it is a kube-apiserver of a version.
func kubeAPIServer(version string) string { return "#!/bin/sh\necho Kubernetes " + version + "\n" }

// publishing serves a kube-apiserver of v1.36.3 for this machine, and counts requests.
func publishing(t *testing.T, content, sumOf string) (base string, requests *atomic.Int32) {
	t.Helper()
	requests = &atomic.Int32{}
	at := "/release/v1.36.3/bin/" + runtime.GOOS + "/" + runtime.GOARCH + "/kube-apiserver"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch sum := sha512.Sum512([]byte(sumOf)); r.URL.Path {
		case at:
			_, _ = w.Write([]byte(content))
		case at + ".sha512":
			_, _ = w.Write([]byte(hex.EncodeToString(sum[:])))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// assetsOf is a directory of envtest with a kube-apiserver of a version; "": with none.
func assetsOf(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	if version != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "kube-apiserver"), []byte(kubeAPIServer(version)), 0o700))
	}
	return dir
}

// TestBinaries: a release is taken from envtest's directory if it is that release, then from the
// mirror; what is damaged, of another version or of another architecture is not used, and then
// the release is built, which a machine without Go cannot do.
func TestBinaries(t *testing.T) {
	right := kubeAPIServer("v1.36.3")
	foreign := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x02\x00\x16\x00\x01" + strings.Repeat("\x00", 43) // of s390x
	ref, err := servers.ParseReference("kube-apiserver@v1.36.3")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		assets          string
		content, sumOf  string
		off, fromSource bool
		from            string // assets, mirror or "" for neither
	}{
		"assets":                  {assets: "v1.36.3", content: right, sumOf: right, from: "assets"},
		"assets without a mirror": {assets: "v1.36.3", off: true, from: "assets"},
		"assets of another patch": {assets: "v1.36.2", content: right, sumOf: right, from: "mirror"},
		"no assets":               {content: right, sumOf: right, from: "mirror"},
		"off":                     {content: right, sumOf: right, off: true},
		"from source":             {assets: "v1.36.3", content: right, sumOf: right, fromSource: true},
		"damaged":                 {content: right[1:], sumOf: right},
		"of another version":      {content: kubeAPIServer("v1.36.2"), sumOf: kubeAPIServer("v1.36.2")},
		"of another architecture": {content: foreign, sumOf: foreign},
	} {
		t.Run(name, func(t *testing.T) {
			base, requests := publishing(t, c.content, c.sumOf)
			dir := assetsOf(t, c.assets)
			t.Setenv("KUBEBUILDER_ASSETS", dir)
			t.Setenv("SKEWSIM_CACHE", t.TempDir())
			t.Setenv("SKEWSIM_BUILDS", "")
			t.Setenv("SKEWSIM_MIRROR", base)
			t.Setenv("PATH", "/usr/bin:/bin")
			t.Setenv("GOROOT", t.TempDir())
			if c.off {
				t.Setenv("SKEWSIM_MIRROR", "off")
			}
			b := New(Config{FromSource: c.fromSource})
			defer b.Close()
			build, err := b.Build(t.Context(), ref)
			asked := requests.Load()
			assert.Equal(t, c.off || c.fromSource || c.from == "assets", asked == 0)
			if c.from == "" {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, map[string]string{"assets": filepath.Join(dir, "kube-apiserver"), "mirror": base + build.From[max(0, strings.Index(build.From, "/release")):]}[c.from], build.From)

			// It is in the cache now, and nothing is asked again, but by whoever wants a build.
			t.Setenv("SKEWSIM_MIRROR", "off")
			t.Setenv("KUBEBUILDER_ASSETS", "")
			again, err := New(Config{}).Build(t.Context(), ref)
			require.NoError(t, err)
			assert.Equal(t, build, again)
			assert.Equal(t, asked, requests.Load())
			built, err := Cached()
			require.NoError(t, err)
			require.Len(t, built, 1)
			assert.Equal(t, build.From, built[0].From)
			assert.Equal(t, "published binary", SourceOf(built[0]))
			_, err = New(Config{FromSource: true}).Build(t.Context(), ref)
			assert.Error(t, err)
		})
	}
}

// TestBuildsOff: what the cache does not contain is an error that names the variable, and nothing
// is asked of a mirror.
func TestBuildsOff(t *testing.T) {
	right := kubeAPIServer("v1.36.3")
	base, requests := publishing(t, right, right)
	t.Setenv("KUBEBUILDER_ASSETS", "")
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	t.Setenv("SKEWSIM_BUILDS", "off")
	t.Setenv("SKEWSIM_MIRROR", base)
	ref, err := servers.ParseReference("kube-apiserver@v1.36.3")
	require.NoError(t, err)
	_, err = New(Config{}).Build(t.Context(), ref)
	assert.ErrorContains(t, err, "SKEWSIM_BUILDS")
	assert.Zero(t, requests.Load())
}
