package servers_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers"
)

func TestParseThrough(t *testing.T) {
	for text, want := range map[string]string{
		"frobber@1.8..1.11":                "frobber@1.8 frobber@1.9 frobber@1.10 frobber@1.11",
		"frobber@1.0,1.1,1.3+forgets":      "frobber@1.0 frobber@1.1 frobber@1.3+forgets",
		"frobber@1.0, frobber@1.2":         "frobber@1.0 frobber@1.2",
		"kube-apiserver@v1.36.3,v1.37.0":   "kube-apiserver@v1.36.3 kube-apiserver@v1.37.0",
		"path:./a,kube-apiserver@v1.37.0":  "path:./a kube-apiserver@v1.37.0",
		"kube-apiserver@v1.36.3,path:../b": "kube-apiserver@v1.36.3 path:../b",
		"module:a.b/c@v0.35.4,v0.37.0":     "module:a.b/c@v0.35.4 module:a.b/c@v0.37.0",
		"module:a.b/c@v0.1.0,frobber@1.0":  "module:a.b/c@v0.1.0 frobber@1.0",
		"crd:a.b/c@v1.0.0//d,v1.1.0":       "crd:a.b/c@v1.0.0//d crd:a.b/c@v1.1.0//d",
	} {
		all, err := servers.ParseThrough(text)
		var got []string
		for _, r := range all {
			got = append(got, r.String())
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestParseThroughRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"frobber@1.0":                     "two releases at least",
		"frobber@1.3..1.1":                "older release first",
		"frobber@1.1..1.1":                "older release first",
		"frobber@1.0..1.3+forgets":        "without mutants",
		"frobber@1.0..1.9999":             "more than 200",
		"kube-apiserver@v1.35.0..v1.37.0": "list the releases of other components",
		"path:./a,v1.37.0":                "not understood",
		"frobber@1.0,":                    "not understood",
		"1.0,1.1":                         "not understood",
	} {
		if all, err := servers.ParseThrough(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want an error with %q", text, all, err, want)
		}
	}
}
