package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers/certs"
)

func authority(t *testing.T) (*certs.Authority, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "certs")
	a, err := certs.New(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	return a, dir
}

func issue(t *testing.T, a *certs.Authority, name string, usage certs.Usage) certs.Pair {
	t.Helper()
	pair, err := a.Issue(name, usage)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// serve answers callers of the authority's own clients only.
func serve(t *testing.T, a *certs.Authority, pair certs.Pair) string {
	t.Helper()
	cert, err := tls.LoadX509KeyPair(pair.CertFile, pair.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: a.Pool()}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

func TestWhoTrustsWhom(t *testing.T) {
	ours, _ := authority(t)
	theirs, _ := authority(t)
	url := serve(t, ours, issue(t, ours, "server", certs.Server))
	const unauthorized, unknown = "tls: ", "certificate signed by unknown authority"
	for _, c := range []struct {
		name      string
		authority *certs.Authority
		pair      certs.Pair
		want      string
	}{
		{"client", ours, issue(t, ours, "client", certs.Client), ""},
		{"peer", ours, issue(t, ours, "peer", certs.Peer), ""},
		{"a server is no client", ours, issue(t, ours, "second", certs.Server), unauthorized},
		{"another authority's client", theirs, issue(t, theirs, "client", certs.Client), unknown},
	} {
		config, err := c.authority.ClientTLS(c.pair)
		if err != nil {
			t.Fatal(err)
		}
		r, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: config}}).Get(url)
		if err == nil {
			r.Body.Close()
		}
		if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFilesArePrivateAndTheAuthoritysKeyIsNotAmongThem(t *testing.T) {
	a, dir := authority(t)
	issue(t, a, "server", certs.Server)
	if err := certs.NewKey(filepath.Join(dir, "account.key")); err != nil {
		t.Fatal(err)
	}
	var names []string
	err := filepath.Walk(dir, func(path string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		names = append(names, info.Name())
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return nil
	})
	if got, want := strings.Join(names, " "), "certs account.key ca.crt server.crt server.key"; err != nil || got != want {
		t.Errorf("files %s, want %s: %v", got, want, err)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	a, dir := authority(t)
	issue(t, a, "server", certs.Server)
	if _, err := a.Issue("server", certs.Server); !errors.Is(err, fs.ErrExist) {
		t.Errorf("issuing twice: %v", err)
	}
	if _, err := certs.New(dir, "test"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second authority: %v", err)
	}
}

func TestMakeDirNarrowsTheMode(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := certs.MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %s: %v", info.Mode(), err)
	}
}

func TestSerialNumbersDiffer(t *testing.T) {
	a, _ := authority(t)
	seen := map[string]bool{}
	for _, name := range []string{"a", "b", "c"} {
		files := issue(t, a, name, certs.Server)
		pair, err := tls.LoadX509KeyPair(files.CertFile, files.KeyFile)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil || seen[cert.SerialNumber.String()] {
			t.Errorf("%s: serial number %s again: %v", name, cert.SerialNumber, err)
		}
		seen[cert.SerialNumber.String()] = true
	}
}
