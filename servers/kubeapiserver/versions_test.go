package kubeapiserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/servers/build"
)

// proxy is a module proxy that lists some releases and serves others in addition.
type proxy struct {
	listed, served []string
	mu             sync.Mutex
	asked          []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/k8s.io/kubernetes/@v/")
	release, isZip := strings.CutSuffix(name, ".zip")
	if isZip {
		p.mu.Lock()
		p.asked = append(p.asked, r.Method+" "+release)
		p.mu.Unlock()
	}
	switch {
	case ok && name == "list":
		_, _ = w.Write([]byte(strings.Join(p.listed, "\n")))
	case ok && isZip && slices.Contains(p.served, release):
	case ok && slices.Contains(p.described(), strings.TrimSuffix(name, ".info")):
		_, _ = fmt.Fprintf(w, `{"Version": %q, "Time": "2026-07-22T18:07:38Z"}`, strings.TrimSuffix(name, ".info"))
	case ok && slices.Contains(p.described(), strings.TrimSuffix(name, ".mod")):
		_, _ = w.Write([]byte("module k8s.io/kubernetes\n"))
	default:
		http.Error(w, "This module version is not available.", http.StatusForbidden)
	}
}

// described returns the releases with metadata, which does not mean that they are served.
func (p *proxy) described() []string { return append([]string{"v1.37.2"}, p.listed...) }

func (p *proxy) start(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOSUMDB", "off") // which knows nothing of this proxy
}

func TestReleaseThatCannotBeFetched(t *testing.T) {
	p := &proxy{
		listed: []string{"v1.34.2", "v1.34.4", "v1.35.4", "v1.36.1", "v1.36.3", "v1.36.4-rc.1"},
		served: []string{"v1.36.0", "v1.36.1", "v1.36.3", "v1.36.5", "v1.37.0", "v1.37.1"},
	}
	const refused = " cannot be fetched: k8s.io/kubernetes@VERSION: reading PROXY/k8s.io/kubernetes/@v/VERSION.info: " +
		"403 Forbidden server response: This module version is not available; "
	for _, c := range []struct{ version, want string }{
		{"v1.36.9", "build kube-apiserver VERSION:" + refused + "of 1.36 these can be fetched: v1.36.0, v1.36.1, v1.36.3, v1.36.5"},
		{"v1.37.2", "build kube-apiserver VERSION:" + strings.Replace(refused, ".info", ".zip", 1) + "of 1.37 these can be fetched: v1.37.0, v1.37.1"},
		{"v1.99.0", "build kube-apiserver VERSION:" + refused + "nothing of 1.99 can be fetched; nearest: v1.36.3, v1.35.4, v1.34.4"},
		{"v1.38", `kube-apiserver@VERSION: no patch of it is available: the module proxy lists none; nothing of 1.38 can be fetched; nearest: v1.36.3, v1.35.4, v1.34.4`},
		{"1.36", `kube-apiserver@VERSION: version "VERSION": want vX.Y.Z; of 1.36 these can be fetched: v1.36.0, v1.36.1, v1.36.3, v1.36.5`},
		{"1.36.3", `kube-apiserver@VERSION: version "VERSION": want vX.Y.Z; of 1.36 these can be fetched: v1.36.0, v1.36.1, v1.36.3, v1.36.5`},
		{"latest", `kube-apiserver@VERSION: version "VERSION": want vX.Y.Z; such as v1.36.3, v1.35.4, v1.34.4`},
		{"v2.0.0", `kube-apiserver@VERSION: version "VERSION": want vX.Y.Z; such as v1.36.3, v1.35.4, v1.34.4`},
	} {
		t.Run(c.version, func(t *testing.T) {
			p.start(t)
			cache, err := build.OpenCache(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			_, err = Get(t.Context(), cache, c.version, nil)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if want := strings.ReplaceAll(c.want, "VERSION", c.version); normal(got) != want {
				t.Errorf("Get said\n%s\nwant\n%s", got, want)
			}
		})
	}
	// Probes must not download 50 MB each. The one GET is Go's own.
	gets := slices.DeleteFunc(slices.Clone(p.asked), func(a string) bool { return strings.HasPrefix(a, "HEAD ") })
	if len(gets) == len(p.asked) || !slices.Equal(gets, []string{"GET v1.37.2"}) {
		t.Errorf("asked %v", p.asked)
	}
}

// normal hides the proxy's random port.
func normal(s string) string {
	before, rest, ok := strings.Cut(s, "http://127.0.0.1:")
	if !ok {
		return s
	}
	_, after, _ := strings.Cut(rest, "/")
	return before + "PROXY/" + after
}

func TestOffline(t *testing.T) {
	p := &proxy{}
	server := httptest.NewServer(p)
	server.Close() // its port answers nobody now
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOMODCACHE", t.TempDir())
	cache, err := build.OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Get(t.Context(), cache, "v1.36.3", nil)
	want := "build kube-apiserver v1.36.3: go mod download: the network cannot be reached: modules come from the proxy that GOPROXY names; "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("Get said\n%v\nwant\n%s", err, want)
	}
}

func TestGenerate(t *testing.T) {
	var upstream build.GoMod
	upstream.Go = "1.26.0"
	upstream.Godebug = []struct{ Key, Value string }{{"default", "go1.26"}}
	upstream.Replace = make([]struct {
		Old, New struct{ Path, Version string }
	}, 1)
	upstream.Replace[0].Old.Path, upstream.Replace[0].New.Path = "k8s.io/api", "./staging/src/k8s.io/api"
	want := `module skewsim.invalid/kube-apiserver

go 1.26.0

godebug default=go1.26

require k8s.io/kubernetes v1.36.3

replace k8s.io/api => k8s.io/api v0.36.3
`
	if got := generate(upstream, "v1.36.3"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
