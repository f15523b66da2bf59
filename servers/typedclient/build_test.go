package typedclient_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// listed are the versions that proxy lists. It describes them, but serves none
// of them; it serves one that it does not list.
const listed = "v0.35.4\nv0.36.1\nv0.36.3\nv0.37.0-rc.1\nv1.5.2\nv11.0.0+incompatible\n"

func proxy(w http.ResponseWriter, r *http.Request) {
	name, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/@v/")
	ext := path.Ext(what)
	version := strings.TrimSuffix(what, ext)
	switch described := strings.Contains(listed, version+"\n"); {
	case what == "list":
		_, _ = w.Write([]byte(listed))
	case described && ext == ".info":
		_, _ = fmt.Fprintf(w, `{"Version": %q, "Time": "2026-07-22T18:07:38Z"}`, version)
	case described && ext == ".mod":
		_, _ = fmt.Fprintf(w, "module %s\n", name)
	case r.Method == http.MethodHead && what == "v0.36.5.zip":
	default:
		http.Error(w, "This module version is not available.", http.StatusForbidden)
	}
}

// TestReleasesThatCannotBeHad: the error says which can.
func TestReleasesThatCannotBeHad(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(proxy))
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOSUMDB", "off") // which knows nothing of this proxy
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	for _, c := range []struct{ version, want string }{
		{"v1.36.9", "build typed-client v1.36.9: cannot be fetched: k8s.io/api@v0.36.9: reading PROXY/k8s.io/api/@v/v0.36.9.info: 403 Forbidden " +
			"server response: This module version is not available; of 1.36 these can be fetched: v1.36.1, v1.36.3, v1.36.5"},
		{"v1.99.0", "build typed-client v1.99.0: cannot be fetched: k8s.io/api@v0.99.0: reading PROXY/k8s.io/api/@v/v0.99.0.info: 403 Forbidden " +
			"server response: This module version is not available; nothing of 1.99 can be fetched; nearest: v1.36.3, v1.35.4"},
		{"1.36.3", `typed-client@1.36.3: version "1.36.3": want vX.Y.Z; of 1.36 these can be fetched: v1.36.1, v1.36.3, v1.36.5`},
		{"v0.36.3", `typed-client@v0.36.3: version "v0.36.3": want vX.Y.Z; such as v1.36.3, v1.35.4`},
		{"v1.30.0", `typed-client@v1.30.0: version "v1.30.0": typed clients can be built of v1.31.0 and later`},
	} {
		_, err := typedclient.Get(t.Context(), cache, c.version, nil)
		var request *servers.RequestError
		require.ErrorAs(t, err, &request, c.version)
		assert.Equal(t, c.want, regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).ReplaceAllString(err.Error(), "PROXY"))
	}
}

// TestOffline is the machine's trouble, not the release's.
func TestOffline(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close() // its port answers nobody now
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	_, err = typedclient.Get(t.Context(), cache, newer, nil)
	assert.ErrorIs(t, err, build.ErrOffline)
	var request *servers.RequestError
	assert.NotErrorAs(t, err, &request)
}
