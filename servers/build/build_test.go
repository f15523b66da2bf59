package build_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// tested is the release that is in the cache once the tests have run.
const tested = "v1.37.0"

func TestPagesKubectlSaysItsVersion(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	cache, err := build.OpenCache("")
	require.NoError(t, err)
	built, err := build.GetKubectl(t.Context(), cache, tested, nil)
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), built.Path, "version", "--client", "-o", "json")
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := command.Output()
	require.NoError(t, err)
	var said struct {
		ClientVersion struct{ Major, Minor, GitVersion, GitTreeState string }
	}
	require.NoError(t, json.Unmarshal(out, &said))
	v := said.ClientVersion
	assert.Equal(t, []string{"1", "37", tested, "clean"}, []string{v.Major, v.Minor, v.GitVersion, v.GitTreeState})
	assert.Equal(t, tested, built.Version)
	assert.Len(t, built.Digest, 64)
}

func TestNoRelease(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOSUMDB", "off") // which knows nothing of this proxy
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	for version, want := range map[string]string{
		"1.37.0":  `kubectl@1.37.0: version "1.37.0": want vX.Y.Z`,
		"v1.99.0": "build kubectl v1.99.0: cannot be fetched: k8s.io/kubectl@v0.99.0: ",
	} {
		_, err := build.GetKubectl(t.Context(), cache, version, nil)
		var request *servers.RequestError
		require.ErrorAs(t, err, &request)
		assert.ErrorContains(t, err, want)
	}
}
