package kubeapiserver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers/apiserver"
)

func script(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFromPath(t *testing.T) {
	file := script(t, "kube-apiserver", "#!/bin/sh\n[ \"$1\" = --version ] && echo Kubernetes v1.36.3-dirty\n", 0o700)
	b, err := FromPath(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := apiserver.DigestOf(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.Reference != "path:"+file || b.Component != "kube-apiserver" || b.Version != "v1.36.3-dirty" || b.Path != file || b.Digest != digest || b.File.Digest != digest {
		t.Errorf("built %+v", b)
	}
	// A relative path is kept as it was given and still found from elsewhere.
	t.Chdir(filepath.Dir(file))
	if b, err = FromPath(t.Context(), "./kube-apiserver"); err != nil || b.Reference != "path:./kube-apiserver" || b.Path != file {
		t.Errorf("built %+v: %v", b, err)
	}
}

func TestFromPathErrors(t *testing.T) {
	dir := t.TempDir()
	const question = `; is it a kube-apiserver?`
	for _, c := range []struct{ file, want string }{
		{filepath.Join(dir, "missing"), "no such file; build it first, or check the path"},
		{dir, "is a directory; name the kube-apiserver executable in it"},
		{os.DevNull, "is not a regular file"},
		{script(t, "x", "", 0o600), "is not executable; chmod +x it if it is a kube-apiserver"},
		{script(t, "x", "no program", 0o700), "cannot be executed here: x: start: fork/exec FILE: exec format error" + question},
		{script(t, "x", "#!/bin/sh\necho etcd Version: 3.6.0\n", 0o700), `--version printed "etcd Version: 3.6.0", want "Kubernetes vX.Y.Z"` + question},
		{script(t, "x", "#!/bin/sh\necho Kubernetes v1.36\n", 0o700), `--version printed "Kubernetes v1.36", want "Kubernetes vX.Y.Z"` + question},
		{script(t, "x", "#!/bin/sh\n", 0o700), `--version printed "", want "Kubernetes vX.Y.Z"` + question},
		{script(t, "x", "#!/bin/sh\necho unknown option >&2; exit 2\n", 0o700), `--version: exited with status 2: "unknown option"` + question},
		{script(t, "x", "#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' x; exit 1\n", 0o700), `--version: exited with status 1: "` + strings.Repeat("x", 200) + `..."` + question},
	} {
		_, err := FromPath(t.Context(), c.file)
		want := "path:" + c.file + ": " + strings.ReplaceAll(c.want, "FILE", c.file)
		if err == nil || err.Error() != want {
			t.Errorf("FromPath said\n%v\nwant\n%s", err, want)
		}
	}
}

// A program that does not answer is ended.
func TestFromPathOfSilentProgram(t *testing.T) {
	file := script(t, "x", "#!/bin/sh\nexec sleep 600\n", 0o700)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	_, err := FromPath(ctx, file)
	if want := "path:" + file + ": --version: interrupted; is it a kube-apiserver?"; err == nil || err.Error() != want {
		t.Errorf("FromPath said %v, want %s", err, want)
	}
}
