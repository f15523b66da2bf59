package frobberapiserver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// onPath puts a program named frobber-apiserver on PATH, with only what shells need.
func onPath(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, binary)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return path
}

func TestGet(t *testing.T) {
	path := onPath(t, `[ "$1" = --release=1.1+required ] && [ "$2" = --version ] && echo Frobber v1.1.0+required`)
	b, err := Finder{}.Get(t.Context(), "1.1+required")
	if err != nil {
		t.Fatal(err)
	}
	digest, err := apiserver.DigestOf(path)
	if err != nil {
		t.Fatal(err)
	}
	want := servers.Build{Reference: "frobber@1.1+required", Component: "frobber", Version: "v1.1.0+required", Path: path, Digest: digest, File: b.File}
	if b != want {
		t.Errorf("built %+v, want %+v", b, want)
	}
	if f := flags(b, nil); len(f) != 1 || f[0] != "--release=1.1+required" {
		t.Errorf("started with %v", f)
	}
}

func TestGetErrors(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`echo 'Error: release "1.1": not on the train (releases: 1.0)' >&2; exit 1`, `frobber@1.1: release "1.1": not on the train (releases: 1.0)`},
		{`echo 'frobber-apiserver: release "1.1": gone' >&2; exit 2`, `frobber@1.1: release "1.1": gone`},
		{`exit 1`, `frobber@1.1: FILE: --release=1.1 --version: exited with status 1: ""`},
		{`echo Kubernetes v1.36.3`, `frobber@1.1: FILE: --version printed "Kubernetes v1.36.3", want "Frobber vX.Y.Z"; run make build`},
		{`echo Frobber v1.2.0`, `frobber@1.1: FILE: --version says v1.2.0 of release 1.1, want v1.1.0; run make build`},
	} {
		path := onPath(t, c.script)
		_, err := Finder{}.Get(t.Context(), "1.1")
		want := strings.ReplaceAll(c.want, "FILE", path)
		var request *servers.RequestError
		if err == nil || err.Error() != want || !errors.As(err, &request) {
			t.Errorf("Get said\n%v\nwant a *RequestError\n%s", err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	_, err := Finder{}.Get(t.Context(), "1.1")
	if err == nil || !strings.HasSuffix(err.Error(), ") nor on PATH: "+install) {
		t.Errorf("Get said %v", err)
	}
}

// TestGetKilled: a binary that is killed while it answers is not a *RequestError.
func TestGetKilled(t *testing.T) {
	onPath(t, `echo 'Error: gone' >&2; kill -9 $$`)
	_, err := Finder{}.Get(t.Context(), "1.1")
	var request *servers.RequestError
	if err == nil || !strings.Contains(err.Error(), "was killed by signal 9") || errors.As(err, &request) {
		t.Errorf("Get said %v, want no *RequestError", err)
	}
}

// TestBesideBeforePath: the binary in skewsim's directory takes precedence over the one on
// PATH.
func TestBesideBeforePath(t *testing.T) {
	onPath(t, "echo Frobber v9.9.0")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(filepath.Dir(own), binary)
	if err := os.WriteFile(beside, []byte("#!/bin/sh\necho Frobber v1.1.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(beside)
	if b, err := (Finder{}).Get(t.Context(), "1.1"); err != nil || b.Path != beside {
		t.Errorf("Get found %+v: %v", b, err)
	}
}

func TestVersions(t *testing.T) {
	for release, version := range map[string]string{"1.0": "v1.0.0", "1.1+required": "v1.1.0+required", "1.10": "v1.10.0", "2.0+a-b": "v2.0.0+a-b"} {
		if got := versionOf(release); got != version {
			t.Errorf("the version of %s is %s, want %s", release, got, version)
		}
		if got := Release(version); got != release {
			t.Errorf("the release of %s is %s, want %s", version, got, release)
		}
	}
}

func TestRefusedFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"--storage-media-type=application/vnd.kubernetes.protobuf": "",
		"--storage-version=v7beta1":                                "",
		"--release=1.0":                                            `flags: "--release=1.0": the build says it: name another, such as frobber@1.1`,
		"--version":                                                `flags: "--version": the server would print it and end`,
		"--token-auth-file=x":                                      `flags: "--token-auth-file=x": ` + apiserver.ForIdentity,
	} {
		got := ""
		if err := Component().CheckFlags([]string{flag}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", flag, got, want)
		}
	}
}
