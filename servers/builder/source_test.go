package builder

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/source"
)

// TestSourceModules says where the source of a build's API types is: of a published version
// whatever the build is, at the version that the build has; of others nowhere. Only a build
// that is made from the source has other facts.
func TestSourceModules(t *testing.T) {
	at := func(api string) []source.Module {
		return []source.Module{{Path: "k8s.io/api", Version: api}, {Path: "k8s.io/apiextensions-apiserver", Version: "v0.36.3"}}
	}
	for name, c := range map[string]struct {
		build servers.Build
		want  []source.Module
		own   bool
	}{
		"a release":             {servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3"}, at("v0.36.3"), true},
		"an executable":         {servers.Build{Reference: "path:./kube-apiserver", Version: "v1.36.3"}, at("v0.36.3"), false},
		"an image":              {servers.Build{Reference: "image:example.com/kube-apiserver:v1.36.3", Version: "v1.36.3"}, at("v0.36.3"), false},
		"with a later module":   {servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3", Substituted: "k8s.io/api v0.36.3 -> v0.36.5"}, at("v0.36.5"), true},
		"between releases":      {servers.Build{Reference: "path:./kube-apiserver", Version: "v1.36.3-5+0123456789abcd"}, nil, false},
		"the reference server":  {servers.Build{Reference: "frobber@1.2", Version: "v1.2.0"}, nil, false},
		"a module's API server": {servers.Build{Reference: "module:example.com/server@v0.1.0", Version: "v0.1.0"}, []source.Module{{Path: "example.com/server", Version: "v0.1.0"}}, true},
	} {
		kind, modules := New(Config{}).checkouts.sourceOf(t.Context(), c.build)
		assert.Equal(t, c.want, modules.Types, name)
		assert.Equal(t, c.own, kind.isOwnSource, name)
	}
}

// TestFactsOfNoSource: a build without source has no facts, which is no error, and nothing is
// downloaded for it.
func TestFactsOfNoSource(t *testing.T) {
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "off")
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	b := New(Config{})
	for _, build := range []servers.Build{
		{Reference: "path:./kube-apiserver", Version: "v1.36.3"},
		{Reference: "image:example.com/kube-apiserver:v1.36.3", Version: "v1.36.3"},
		{Reference: "frobber@1.2", Version: "v1.2.0"},
		{Reference: "crd:manifests", Installs: &servers.Installation{Server: servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3"}}},
	} {
		_, has, err := b.Facts(t.Context(), build)
		assert.NoError(t, err, build.Reference)
		assert.False(t, has, build.Reference)
	}
	_, _, err := b.Facts(t.Context(), servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3"})
	assert.Error(t, err, "its source is published, and not available")
}
