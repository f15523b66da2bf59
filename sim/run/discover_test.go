package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
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
		assert.Equal(t, "example.dev/"+version, h.Releases[term.Old].Discovered("example.dev/v1", "Gadget"))
	}
}

// TestDiscoveredByKind: a preferred version that does not serve the kind is not the one
// that a client which discovers takes; where it serves the kind, it is.
func TestDiscoveredByKind(t *testing.T) {
	const group = `{"versions":[{"groupVersion":"example.dev/v2"},{"groupVersion":"example.dev/v1"}],"preferredVersion":{"groupVersion":"example.dev/v2"}}`
	for kind, version := range map[string]string{"Other": "v1", "Gadget": "v2"} {
		other := func(_, _, path string) (int, string) {
			switch path {
			case "/apis/example.dev":
				return 200, group
			case "/apis/example.dev/v2":
				return 200, `{"resources":[{"name":"gadgets","kind":"` + kind + `","namespaced":true}]}`
			case "/openapi/v3/apis/example.dev/v2":
				return 200, `{"components":{"schemas":{}}}`
			}
			if strings.HasPrefix(path, "/apis/example.dev/v2/") {
				return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001"}}`
			}
			return 0, ""
		}
		operations, h := played(t, "{touch: x, via: old, apiVersion: preferred}", other)
		assert.Equal(t, version, strings.Split(operations[0].Exchange.Path, "/")[3], kind)
		assert.Equal(t, "example.dev/"+version, h.Releases[term.Old].Discovered("example.dev/v1", "Gadget"))
		assert.Equal(t, "example.dev/v2", h.Releases[term.Old].Discovered("example.dev/v1", "Third"))
	}
}

// TestElsewhere: of the group's other versions what discovery says of the plan's
// kinds is kept, though no client discovers and no call goes through them; of other
// kinds, and of a group that is not served, nothing.
func TestElsewhere(t *testing.T) {
	const more = `{"resources":[{"name":"gadgets","kind":"Gadget","storageVersionHash":"x"},{"name":"others","kind":"Other"}]}`
	for code, want := range map[int][]history.Resource{
		404: nil,
		200: {{APIVersion: "example.dev/v2", Kind: "Gadget", Plural: "gadgets", StorageVersionHash: "x"}},
	} {
		w := func(_, _, path string) (int, string) {
			switch path {
			case "/apis/example.dev":
				return code, `{"versions":[{"groupVersion":"example.dev/v1"},{"groupVersion":"example.dev/v2"}],"preferredVersion":{"groupVersion":"example.dev/v1"}}`
			case "/apis/example.dev/v2":
				return 200, more
			}
			return 0, ""
		}
		_, h := played(t, "{touch: x, via: old}", w)
		assert.Equal(t, want, h.Releases[term.Old].Elsewhere)
		assert.Len(t, h.Releases[term.Old].Resources, 1)
	}
}

// onlyOne serves example.dev/v2 of the gadgets through the servers of one release.
func onlyOne(serves ...string) func(place, method, path string) (int, string) {
	const v2 = "/apis/example.dev/v2"
	return func(place, _, path string) (int, string) {
		switch {
		case !strings.HasPrefix(strings.TrimPrefix(path, "/openapi/v3"), v2):
			return 0, ""
		case !slices.Contains(serves, place):
			return 404, `{"kind":"Status","apiVersion":"v1","code":404,"reason":"NotFound","message":"the server could not find the requested resource"}`
		case path == v2:
			return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
		case path == "/openapi/v3"+v2:
			return 200, `{"components":{"schemas":{}}}`
		}
		return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001"}}`
	}
}

// TestNamedVersion: a line that names an API version asks for it through a release that
// does not serve it too, whichever that is, as long as the other does.
func TestNamedVersion(t *testing.T) {
	for _, c := range []struct {
		line   string
		serves []string
		code   int
	}{
		{"{get: x, via: old, apiVersion: example.dev/v2}", []string{"scratch-new", "a-2"}, 404},
		{"{touch: x, via: old, verb: merge-patch, apiVersion: example.dev/v2}", []string{"scratch-new", "a-2"}, 404},
		{"{get: x, via: new, apiVersion: example.dev/v2}", []string{"scratch-old", "a-1"}, 404},
		{"{get: x, via: old, apiVersion: example.dev/v2}", []string{"scratch-old", "a-1"}, 200},
	} {
		operations, h := played(t, c.line, onlyOne(c.serves...))
		assert.Empty(t, h.Skips, c.line)
		if assert.NotEmpty(t, operations, c.line) {
			assert.Equal(t, c.code, operations[0].Exchange.Code, c.line)
			assert.Contains(t, operations[0].Exchange.Path, "/example.dev/v2/", c.line)
		}
	}
}
