package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
)

// TestManifestsOfTheFile: what a scenario's own pair names is looked for, and held against
// hashes, beside it, also where its new end is a version alone; what the user names is not.
func TestManifestsOfTheFile(t *testing.T) {
	dir := t.TempDir()
	s := &scenarios.Scenario{
		Name: "x", File: filepath.Join(dir, "x.yaml"), Releases: scenarios.Releases{Of: "crd", Pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"},
	}
	for _, e := range []struct {
		flags    pairFlags
		old, new string
	}{
		{pairFlags{}, dir, dir},
		{pairFlags{new: "crd:example.dev/m@v1.2.0//crds"}, dir, ""},
		{pairFlags{pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"}, "", ""},
	} {
		_, old, new, err := e.flags.pairOf(s)
		require.NoError(t, err)
		assert.Equal(t, e.old, old.Manifests.Within, "old of %s", old)
		assert.Equal(t, e.new, new.Manifests.Within, "new of %s", new)
	}
}
