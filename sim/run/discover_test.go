package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/term"
)

// TestDiscovered: a client that discovers goes through the version that its
// server prefers, and what is looked at afterwards is the manifest's; a group
// that says nothing is asked as the manifest has it.
func TestDiscovered(t *testing.T) {
	const v2 = "/apis/example.dev/v2"
	for group, version := range map[string]string{
		`{"versions":[{"groupVersion":"example.dev/v1"},{"groupVersion":"example.dev/v2"}],"preferredVersion":{"groupVersion":"example.dev/v2"}}`: "v2",
		`{"versions":[{"groupVersion":"example.dev/v1"},{"groupVersion":"example.dev/v2"}],"preferredVersion":{"groupVersion":"example.dev/v1"}}`: "v1",
		"": "v1",
	} {
		other := func(_, method, path string) (int, string) {
			switch {
			case path == "/apis/example.dev" && group != "":
				return 200, group
			case path == v2:
				return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
			case path == "/openapi/v3"+v2:
				return 200, `{"components":{"schemas":{}}}`
			case strings.HasPrefix(path, v2):
				return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001"}}`
			}
			return 0, ""
		}
		operations, h := played(t, "{touch: x, via: old, apiVersion: preferred}", other)
		var paths []string
		for _, o := range operations {
			paths = append(paths, string(o.Purpose)+" "+strings.Split(o.Exchange.Path, "/")[3])
		}
		assert.Equal(t, []string{"read " + version, "act " + version, "look v1"}, paths, group)
		assert.Equal(t, "example.dev/"+version, h.Releases[term.Old].Discovered("example.dev/v1"))
	}
}
