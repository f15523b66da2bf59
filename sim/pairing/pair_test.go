package pairing

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func texts(pairs []Pair) (all []string) {
	for _, p := range pairs {
		all = append(all, p.String())
	}
	return all
}

// TestNeighbours: by version, whatever the order of the list; each component by itself.
func TestNeighbours(t *testing.T) {
	all := []Release{
		release("server", "v1.10.0"), release("server", "v1.9.3"), release("other", "1.1"), release("server", "v1.7.0"),
		release("other", "1.0"), release("server", "v1.9.3"), {Reference: "path:x"},
	}
	want := []string{"other@1.0..1.1", "server@v1.7.0..v1.9.3", "server@v1.9.3..v1.10.0"}
	for range 2 {
		assert.Equal(t, want, texts(Neighbours(all)))
		slices.Reverse(all)
	}
	assert.Empty(t, Neighbours(nil))
	assert.Empty(t, Neighbours(all[:1]))
}

// manifests is a pair of definitions of custom resources, which have a component and no
// version.
func manifests(old, new string) Pair {
	return Pair{Release{Reference: "crd:" + old, Component: "crd"}, Release{Reference: "crd:" + new, Component: "crd"}}
}

// TestDir: a pair's directory is one plain name, and no other pair's.
func TestDir(t *testing.T) {
	long := strings.Repeat("x", 300)
	pairs := []Pair{
		pairOf("server", "v1.35.4", "v1.36.1"), pairOf("server", "1.1", "1.2+wrong"), pairOf("other", "1.1", "1.2"),
		{Release{Reference: "path:../a"}, Release{Reference: "path:b"}}, {Release{Reference: "path:__/a"}, Release{Reference: "path:b"}},
		{Release{Reference: "path:" + long}, Release{Reference: "path:b"}}, {Release{Reference: "path:" + long}, Release{Reference: "path:c"}},
		{release("server", "v1.36.1"), Release{Reference: "source:../kubernetes"}}, {Release{Reference: "image:a/b:c"}, Release{Reference: "image:a/b:d"}},
		manifests("manifests/old", "manifests/new"), manifests("manifests/old/", "manifests/new"), manifests("other/old", "other/new"),
		manifests("example.com/a@v1.0.0//crds", "example.com/a@v1.1.0//crds"), manifests("manifests/old", "example.com/a@v1.1.0//crds"),
		{Release{Reference: "module:example.com/a@v1.0.0"}, Release{Reference: "module:example.com/a@v1.1.0"}},
		{Release{Reference: "source:../kubernetes"}, release("server", "v1.36.1")},
	}
	seen := map[string]string{}
	for _, p := range pairs {
		dir := p.Dir()
		assert.Regexp(t, `^[A-Za-z0-9@][A-Za-z0-9@.+_-]{0,100}$`, dir)
		assert.NotContains(t, dir, "..")
		assert.Regexp(t, `^[A-Za-z0-9][A-Za-z0-9@.+_-]{0,100}$`, p.Short())
		assert.Empty(t, seen[strings.ToLower(dir)], "%s is also that of %s", p, seen[strings.ToLower(dir)])
		seen[strings.ToLower(dir)] = p.String()
	}
	assert.Equal(t, "server@v1.35.4-v1.36.1", pairs[0].Dir())
	assert.Equal(t, "v1.35.4-v1.36.1", pairs[0].Short())
	assert.Equal(t, "server@1.1..1.2+wrong", pairs[1].String())
	assert.Equal(t, "path:../a..path:b", pairs[3].String())
}
