package builder

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gatetags"
)

// TestTypeModules says where the types of a build's APIs are: of a published version
// whatever the build is, at the version that the build has; of others nowhere.
func TestTypeModules(t *testing.T) {
	at := func(api string) []gatetags.Module {
		return []gatetags.Module{{Path: "k8s.io/api", Version: api}, {Path: "k8s.io/apiextensions-apiserver", Version: "v0.36.3"}}
	}
	for name, c := range map[string]struct {
		build servers.Build
		want  []gatetags.Module
	}{
		"a release":             {servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3"}, at("v0.36.3")},
		"an executable":         {servers.Build{Reference: "path:./kube-apiserver", Version: "v1.36.3"}, at("v0.36.3")},
		"an image":              {servers.Build{Reference: "image:example.com/kube-apiserver:v1.36.3", Version: "v1.36.3"}, at("v0.36.3")},
		"with a later module":   {servers.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3", Substituted: "k8s.io/api v0.36.3 -> v0.36.5"}, at("v0.36.5")},
		"between releases":      {servers.Build{Reference: "path:./kube-apiserver", Version: "v1.36.3-5+0123456789abcd"}, nil},
		"the reference server":  {servers.Build{Reference: "frobber@1.2", Version: "v1.2.0"}, nil},
		"a module's API server": {servers.Build{Reference: "module:example.com/server@v0.1.0", Version: "v0.1.0"}, []gatetags.Module{{Path: "example.com/server", Version: "v0.1.0"}}},
	} {
		assert.Equal(t, c.want, New(Config{}).checkouts.typeModules(t.Context(), c.build), name)
	}
}
