package apiserver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/servers"
)

// helpText has the form of kube-apiserver's help.
const helpText = `The API server.

Usage:
  kube-apiserver [flags]

Generic flags:

      --emulated-version strings                           The versions different components emulate.
      --feature-gates colonSeparatedMultimapStringString   Comma-separated list. For example: --feature-gates 'wardle:featureA=true'Options are:
                                                           kube:AllAlpha=true|false (ALPHA - default=false)
                                                           kube:Glow=true|false (BETA - default=false), or Glow=true|false (BETA - default=true) if --min-compatibility-version>=1.37
  -h, --help                                               help
`

func TestParseHelp(t *testing.T) {
	h := ParseHelp(helpText)
	if want := []string{"emulated-version", "feature-gates", "help"}; !slices.Equal(h.Flags, want) {
		t.Errorf("flags %v, want %v", h.Flags, want)
	}
	if len(h.Gates) != 2 || h.Gates["AllAlpha"] != "ALPHA - default=false" || h.Gates["Glow"] != "BETA - default=false" {
		t.Errorf("gates %v", h.Gates)
	}
	if !h.Knows("help") || h.Knows("secure-port") || !ParseHelp("").Knows("secure-port") {
		t.Error("Knows: want the flags that the help lists, and any flag where it lists none")
	}
}

// script returns an executable that replaces a server and never starts one.
func script(t *testing.T, body string) servers.Build {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o700); err != nil {
		t.Fatal(err)
	}
	return servers.Build{Component: "fake", Version: "v1", Path: path, Digest: path}
}

// A flag that the help does not list may exist: the executable is asked for it.
func TestLacks(t *testing.T) {
	b := script(t, `case "$1" in --hidden*) echo "Error: etcd is needed" >&2;; *) echo "Error: unknown flag: ${1%=*}" >&2;; esac; exit 1`)
	var h helps
	got := h.lacks(t.Context(), fake(), b, Help{Flags: []string{"told"}}, []string{"--told=1", "--hidden=1", "--gone=1"})
	if !slices.Equal(got, []string{"gone"}) {
		t.Errorf("lacks %v, want gone alone", got)
	}
}

// The executable is asked once for a flag that its help does not list, whatever the answer is;
// without an answer it is asked again.
func TestAskedOnce(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	b := script(t, `echo "$1" >> `+asked+`; case "$1" in --silent*) exit 0;; --hidden*) echo "Error: etcd is needed" >&2;; *) echo "Error: unknown flag: ${1%=*}" >&2;; esac; exit 1`)
	var h helps
	for range 2 {
		if got := h.lacks(t.Context(), fake(), b, Help{Flags: []string{"told"}}, []string{"--hidden=1", "--gone=1", "--silent=1"}); !slices.Equal(got, []string{"gone"}) {
			t.Errorf("lacks %v, want gone alone", got)
		}
	}
	text, err := os.ReadFile(asked)
	if want := "--hidden=1\n--gone=1\n--silent=1\n--silent=1\n"; err != nil || string(text) != want {
		t.Errorf("asked for %q, %v; want %q", text, err, want)
	}
}

// Flags that keep a server on loopback, on its store and in its identity are never left out,
// even if the executable knows none of them; optional ones are.
func TestNeverLacks(t *testing.T) {
	b := script(t, `echo "Error: unknown flag: ${1%=*}" >&2; exit 1`)
	var h helps
	c := fake()
	needs := c.Needs(b, &Identity{}, servers.Placement{Store: servers.Store{Prefix: "/r"}}, 1)
	got := h.lacks(t.Context(), c, b, Help{Flags: []string{"told"}}, needs)
	if want := []string{"of-old", "key", "etcd-compaction-interval"}; !slices.Equal(got, want) {
		t.Errorf("lacks %v of %v, want %v", got, needs, want)
	}
}

// TestGate covers a gate that the help lists, a locked one, a stable one and one that does not
// exist.
func TestGate(t *testing.T) {
	b := script(t, `case "$1" in
--help) echo "      --feature-gates x   kube:Told=true|false (ALPHA - default=false)"; exit 0;;
*Locked*) echo 'E1121 run.go:72] "command failed" err="cannot set feature gate Locked to true, feature is locked to false"' >&2;;
*Alien*) echo 'error: --feature-gates: release 1.1 has no gate "Alien" (its own: none)' >&2;;
*Stable*) echo 'E1121 run.go:72] "command failed" err="--etcd-servers must be specified"' >&2;;
*) echo 'E1121 run.go:72] "command failed" err="unrecognized feature gate: None"' >&2;;
esac; exit 1`)
	kept := t.TempDir()
	r, err := New(Config{Components: []Component{fake()}, Dir: t.TempDir(), LogDir: t.TempDir(), Kept: kept})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for gate, want := range map[string]string{"Told": "ALPHA - default=false", "Locked": "locked to false", "Stable": "stable, or deprecated", "None": "", "Alien": "", "a,b": ""} {
		says, has, err := r.Gate(t.Context(), b, gate)
		if err != nil || says != want || has != (want != "") {
			t.Errorf("%s: %q, %t, %v; want %q", gate, says, has, err, want)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(kept, "help-*.txt")); len(files) != 1 {
		t.Errorf("kept %v, want the executable's answer", files)
	}
	if gates, err := r.Gates(t.Context(), b); err != nil || len(gates) != 1 {
		t.Errorf("gates %v, %v", gates, err)
	}
}

// A server that does not answer is started anyway: starting it reports what is wrong.
func TestNoHelp(t *testing.T) {
	b := script(t, `echo "Error: no" >&2; exit 2`)
	var h helps
	help, err := h.of(t.Context(), Component{}, b)
	if err != nil || len(help.Flags) > 0 || !help.Knows("anything") {
		t.Errorf("help %v, %v", help, err)
	}
}
