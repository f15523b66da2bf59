package build_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// built gives what Get says of a program with this main.go and go.mod.
func built(t *testing.T, main, mod string) error {
	t.Helper()
	_, err := open(t).Get(t.Context(), build.Recipe{
		Name: "hello", Version: "v1", Main: main,
		Resolve: func(context.Context, *build.Go) (build.Module, error) { return build.Module{GoMod: mod}, nil },
	}, nil)
	if err == nil {
		t.Fatal("it was built")
	}
	return err
}

func TestFrobberBuildErrors(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	const mod = "module hello\n\ngo 1.24\n"
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOTOOLCHAIN", "local")
	for _, c := range []struct{ name, main, mod, first, last string }{
		{"does not compile", "package main\n\nfunc main() { nothing() }\n", mod,
			"build hello v1: go build: ", "./main.go:3:15: undefined: nothing"},
		{"no such package", "package main\n\nimport _ \"no/such/package\"\n\nfunc main() {}\n", mod,
			"build hello v1: go list: ", "main.go:3:8: package no/such/package is not in std"},
		{"offline", "package main\n\nimport _ \"example.org/module\"\n\nfunc main() {}\n", mod + "require example.org/module v1.2.3\n",
			"build hello v1: go list: the network cannot be reached: modules come from the proxy that GOPROXY names; go online once, or use path:FILE with an executable built elsewhere; go said: ",
			"module lookup disabled by GOPROXY=off"},
		{"newer go", hello, "module hello\n\ngo 1.99\n",
			"build hello v1: go list: this release needs a newer Go; install it from https://go.dev/dl, or let Go fetch it (GOTOOLCHAIN=auto); go said: ",
			"GOTOOLCHAIN=local)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := built(t, c.main, c.mod).Error()
			if !strings.HasPrefix(err, c.first) || !strings.Contains(err[len(c.first):], c.last) {
				t.Errorf("Get said\n%s\nwant\n%s...%s", err, c.first, c.last)
			}
		})
	}
}

func TestNoGo(t *testing.T) {
	c := open(t)
	t.Setenv("PATH", t.TempDir())
	_, err := c.Get(t.Context(), recipe("v1", new(atomic.Int32)), nil)
	want := `build hello v1: the go command is needed, and not in PATH: exec: "go": executable file not found in $PATH; ` +
		"install Go from https://go.dev/dl, or use path:FILE with an executable built elsewhere"
	if err == nil || err.Error() != want {
		t.Errorf("Get said\n%v\nwant\n%s", err, want)
	}
	if left := entries(t, c); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestExplain(t *testing.T) {
	const (
		disk = "go build: no space left on the disk: a first build needs some 6 GB in Go's caches and 300 MB in skewsim's; " +
			"free some, or point GOCACHE, GOMODCACHE and SKEWSIM_CACHE to a larger disk; go said: "
		net = "go build: the network cannot be reached: modules come from the proxy that GOPROXY names; go online once, " +
			"or use path:FILE with an executable built elsewhere; go said: "
		memory = "go build: memory is short: linking a kube-apiserver takes 1.9 GB; end other programs, or build fewer at once; go said: "
		old    = "go build: this release needs a newer Go; install it from https://go.dev/dl, or let Go fetch it (GOTOOLCHAIN=auto); go said: "
	)
	for _, c := range []struct {
		complaint, want string
		is              error
	}{
		{"write /tmp/x: no space left on device", disk, build.ErrDiskFull},
		{"write /tmp/x: disk quota exceeded", disk, build.ErrDiskFull},
		{`Get "https://proxy": dial tcp: lookup proxy: no such host`, net, build.ErrOffline},
		{"dial tcp 10.0.0.1:443: connect: connection refused", net, build.ErrOffline},
		{"k8s.io/x: /go/tool/link: signal: killed", memory, build.ErrNoMemory},
		{"fork/exec /go/tool/compile: cannot allocate memory", memory, build.ErrNoMemory},
		{"was killed by signal 9 (killed)", memory, build.ErrNoMemory},
		{"main.go:9: the job was killed", "", nil},
		{"go.mod requires go >= 1.99 (running go 1.26; GOTOOLCHAIN=local)", old, nil},
		{"main.go:3: undefined: x", "", nil},
		{"", "", nil},
	} {
		err := build.Explain("build", c.complaint)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.complaint, err)
			}
			continue
		}
		if err == nil || err.Error() != c.want+c.complaint || (c.is != nil && !errors.Is(err, c.is)) {
			t.Errorf("%q: %v", c.complaint, err)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKEWSIM_CACHE", filepath.Join(dir, "a"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "b"))
	for _, c := range []struct{ given, env, want, err string }{
		{"", filepath.Join(dir, "a"), filepath.Join(dir, "a"), ""},
		{filepath.Join(dir, "c"), filepath.Join(dir, "a"), filepath.Join(dir, "c"), ""},
		{"", "", filepath.Join(dir, "b", "skewsim"), ""},
		{file, "", "", "cache: mkdir " + file + ": not a directory; set SKEWSIM_CACHE to a directory that can be written"},
	} {
		t.Setenv("SKEWSIM_CACHE", c.env)
		cache, err := build.OpenCache(c.given)
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("Open said %v, want %s", err, c.err)
			}
		case err != nil || cache.Dir() != c.want:
			t.Errorf("Open(%q) gave %v: %v", c.given, cache, err)
		}
	}
}

func TestRecipeNames(t *testing.T) {
	for _, name := range []string{"", "../x", `a\b`, ".hidden"} {
		r := recipe("v1", new(atomic.Int32))
		r.Name = name
		if _, err := open(t).Get(t.Context(), r, nil); err == nil || !strings.HasSuffix(err.Error(), "cannot be part of a file name") {
			t.Errorf("name %q: %v", name, err)
		}
	}
}
