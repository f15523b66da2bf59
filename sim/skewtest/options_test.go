package skewtest

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOptions: wrong values of options, and wrong pairs, fail before anything is built.
func TestOptions(t *testing.T) {
	for option, wrong := range map[string]Option{
		`AA("older")`: AA("older"), `AA("")`: AA(""), "Retries(-1)": Retries(-1), "Timeout(-1ns)": Timeout(-1), "Timeout(0s)": Timeout(0), `Dir("")`: Dir(""), `Server("")`: Server(""), "Webhook(nil)": Webhook(nil), `Webhook: "/convert"`: Webhook(http.NotFoundHandler(), "/a", "/convert"), `Webhook: "/a": is named twice`: Webhook(http.NotFoundHandler(), "/a", "/a"), "option 1": nil,
	} {
		_, err := configOf([]Option{wrong})
		assert.ErrorContains(t, err, option)
	}
	_, err := configOf([]Option{Old("frobber@1.0"), AA("new"), Retries(0), Timeout(1), Dir("out")})
	assert.NoError(t, err)

	for name, pair := range map[string][2]string{
		"backwards":      {"frobber@1.1", "frobber@1.0"},
		"mixed":          {"frobber@1.0", "kube-apiserver@v1.36.3"},
		"no old release": {"", "frobber@1.0"},
		"no reference":   {"frobber@1.0", "frobber"},
	} {
		c, err := configOf([]Option{Old(pair[0]), New(pair[1])})
		require.NoError(t, err)
		_, err = c.references()
		assert.Error(t, err, name)
	}
}

// TestServer: definitions are installed on the server that the option names; other releases have none.
func TestServer(t *testing.T) {
	c, err := configOf([]Option{Old("crd:old"), New("crd:new"), Server("kube-apiserver@v1.36.3")})
	require.NoError(t, err)
	refs, err := c.references()
	require.NoError(t, err)
	for _, ref := range refs {
		assert.Equal(t, "kube-apiserver@v1.36.3", ref.Manifests.Server)
	}
	c, err = configOf([]Option{Old("frobber@1.0"), New("frobber@1.1"), Server("kube-apiserver@v1.36.3")})
	require.NoError(t, err)
	_, err = c.references()
	assert.ErrorContains(t, err, "Server(")
}

// TestDir: the error for a directory that cannot be made, or written, names the option.
func TestDir(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, "/proc", "/proc/x"} {
		assert.ErrorContains(t, config{dir: dir}.makeDir(), "Dir(")
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, config{dir: dir}.makeDir())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// TestWebhookPaths: what is no path that a handler can admit at is refused before anything starts.
func TestWebhookPaths(t *testing.T) {
	for path, fine := range map[string]bool{"/validate-lamp": true, "validate-lamp": false, "": false} {
		c, err := configOf([]Option{Old("crd:old"), New("crd:new"), Webhook(http.NotFoundHandler(), path)})
		if fine {
			require.NoError(t, err)
			assert.Equal(t, []string{path}, c.admits)
			continue
		}
		assert.ErrorContains(t, err, "Webhook", path)
	}
}
