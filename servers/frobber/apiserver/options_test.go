package apiserver_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWrongFlags: a server with unsupported options does not start, and the error lists the
// supported ones.
func TestWrongFlags(t *testing.T) {
	for name, c := range map[string]struct {
		release string
		flags   []string
		want    string
	}{
		"release":         {"2.0", nil, `release "2.0": not on the train (releases: 1.0, 1.1, 1.2, 1.3, 1.4, `},
		"mutant":          {"1.4+nope", nil, `release "1.4+nope": 1.4 has no mutant "nope" (mutants: removed, unserved, untold)`},
		"store":           {"1.0", nil, "--etcd-servers must be specified"},
		"storage version": {"1.3", []string{"--storage-version=v8"}, `--storage-version "v8": not a version that release 1.3 serves (versions: v6, v5, v7beta1)`},
		"encoding":        {"1.0", []string{"--storage-media-type=text/plain"}, `--storage-media-type "text/plain" invalid, allowed values: application/json`},
		"gate of none":    {"1.1", []string{"--feature-gates=Frobber2D=true"}, `--feature-gates: release 1.1 has no gate "Frobber2D" (its own: none)`},
		"gate":            {"1.2", []string{"--feature-gates=Frobber3D=true"}, `--feature-gates: release 1.2 has no gate "Frobber3D" (its own: Frobber2D)`},
		"flag":            {"1.0", []string{"--no-such-flag"}, "unknown flag: --no-such-flag"},
		"tokens":          {"1.0", []string{"--etcd-servers=https://127.0.0.1:1", "--token-auth-file=nowhere.csv"}, "--token-auth-file: open nowhere.csv"},
		"group":           {"1.0", []string{"--etcd-servers=https://127.0.0.1:1", "--runtime-config=other.example.com/v1=true"}, "--runtime-config: unknown api groups other.example.com/v1"},
		"version":         {"1.0", []string{"--etcd-servers=https://127.0.0.1:1", "--runtime-config=frobbing.example.com/v9=true"}, "--runtime-config: group version frobbing.example.com/v9 that has not been registered"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := command(t, c.release, append(c.flags, "--secure-port=0", "--cert-dir="+t.TempDir())...)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), c.want)
		})
	}
}

func TestFrobberRuntimeConfig(t *testing.T) {
	k := newKernel(t)
	s := k.start(t, "1.4", "--runtime-config=frobbing.example.com/v6=false")
	assert.Equal(t, 404, s.do("GET", v6, "").code)
	assert.Equal(t, 200, s.do("GET", v7, "").code)
	assert.Equal(t, "frobbing.example.com/v5", at(s.do("GET", "/apis/frobbing.example.com", "").json(t, 200), "preferredVersion", "groupVersion"))
	s = k.start(t, "1.4", "--runtime-config=api/beta=false")
	assert.Equal(t, 200, s.do("GET", v6, "").code)
	assert.Equal(t, 404, s.do("GET", v7, "").code)
	off := newKernel(t).start(t, "1.28")
	assert.Equal(t, 404, off.do("GET", "/apis/frobbing.example.com/v7alpha1", "").code)
	for _, all := range []string{"api/all", "api/alpha", "frobbing.example.com/v7alpha1"} {
		on := newKernel(t).start(t, "1.28", "--runtime-config="+all+"=true")
		assert.Equal(t, 200, on.do("GET", "/apis/frobbing.example.com/v7alpha1", "").code, all)
	}
	s.create("a", `{"height":1}`)
	assert.Contains(t, string(k.stored(t)["/registry/frobbing.example.com/frobbers/default/a"]), "v7beta1", "a version is stored though it is switched off")
}

// libraryWaits is how long a server waits for connections by default.
const libraryWaits = time.Minute

// TestSmokeEndsAtOnce: an idle connection does not delay the shutdown, and a watch ends
// properly.
func TestFrobberEndsAtOnce(t *testing.T) {
	k := newKernel(t)
	for name, open := range map[string]func(*server) (ends func() error){
		"idle":  func(s *server) func() error { s.do("GET", v6, ""); return func() error { return nil } },
		"watch": func(s *server) func() error { return s.watching(v6 + "?watch=1").ends },
	} {
		s := k.start(t, "1.1")
		ends := open(s)
		// By default the library waits a minute for connections, idle ones too.
		limit := time.AfterFunc(libraryWaits/2, func() { _ = s.cmd.Process.Kill() })
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
		assert.NoError(t, ends(), name)
		assert.NoError(t, s.cmd.Wait(), name)
		limit.Stop()
	}
}

// TestSmokeOwnCertificate: without a certificate a server creates one in the given directory.
func TestFrobberOwnCertificate(t *testing.T) {
	dir := t.TempDir()
	newKernel(t).start(t, "1.1", "--tls-cert-file=", "--tls-private-key-file=", "--cert-dir="+dir)
	_, err := os.Stat(filepath.Join(dir, "apiserver.crt"))
	assert.NoError(t, err)
}
