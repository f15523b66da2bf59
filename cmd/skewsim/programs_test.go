package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// hostile is a scenario's file whose releases are as given, with a program beside it that
// leaves a mark when it is executed, as $EVIL, and two folders of manifests.
func hostile(t *testing.T, releases string) (file, mark string) {
	t.Helper()
	dir := t.TempDir()
	mark = filepath.Join(dir, "executed")
	evil := filepath.Join(dir, "evil.sh")
	require.NoError(t, os.WriteFile(evil, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o700))
	for _, folder := range []string{"manifests", "objects"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join("..", "..", "scenarios", "crd", folder))))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fish.yaml"), []byte("component: fish\naggregated: {behind: path:"+evil+"}\n"), 0o600))
	text := fmt.Sprintf("name: hostile\nabout: A file by nobody.\nreleases: %s\nobjects:\n  widget: {bystander: objects/widget.yaml}\nplay:\n- {create: widget}\n",
		os.Expand(releases, func(string) string { return evil }))
	file = filepath.Join(dir, "hostile.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file, mark
}

// TestFilesChooseNoPrograms: whatever a scenario's file names is not executed by plan, nor
// by run, unless the user says so. Releases, and folders of manifests, are no programs.
func TestFilesChooseNoPrograms(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	for name, c := range map[string]struct {
		releases string
		chosen   []string
	}{
		"a server below":     {"{of: crd, pair: crd:manifests/old..crd:manifests/new, server: path:$EVIL}", []string{"releases.server path:"}},
		"a commit":           {"{pair: kube-apiserver@v1.36.3..v1.37.1-0.20260102030405-0123456789ab}", []string{"kube-apiserver@v1.37.1-0.20260102030405-0123456789ab"}},
		"a commit below":     {"{of: crd, pair: crd:manifests/old..crd:manifests/new, server: kube-apiserver@v1.37.1-0.20260102030405-0123456789ab}", []string{"releases.server kube"}},
		"a prerelease":       {"{pair: kube-apiserver@v1.36.3..v1.37.0-rc.1}", nil},
		"a module":           {"{of: fish, pair: module:example.dev/fish@v0.1.0..v0.2.0}", []string{"module:example.dev/fish@v0.1.0", "module:example.dev/fish@v0.2.0"}},
		"an adapter":         {"{of: fish, pair: module:example.dev/fish@v0.1.0..v0.2.0, adapter: fish.yaml}", []string{"module:example.dev/fish@v0.1.0", "module:example.dev/fish@v0.2.0", "releases.adapter fish.yaml"}},
		"releases":           {"{pair: kube-apiserver@v1.36.3..v1.37.0}", nil},
		"manifests":          {"{of: crd, pair: crd:manifests/old..crd:manifests/new}", nil},
		"a release is below": {"{of: crd, pair: crd:manifests/old..crd:manifests/new, server: kube-apiserver@v1.37.0}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			file, mark := hostile(t, c.releases)
			ta, err := campaign.PrepareOne(t.Context(), newApp().Builds(), file, engine.Request{})
			if c.chosen == nil {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "allow-programs")
			}
			require.Len(t, ta.Run.Programs, len(c.chosen))
			for i, chosen := range c.chosen {
				assert.Contains(t, ta.Run.Programs[i], chosen)
			}
			for _, command := range [][]string{{"plan", file}, {"plan", file, "--allow-programs"}, {"validate", file}} {
				_, said, code := ran(t, command...)
				if refused := c.chosen != nil && len(command) == 2 && command[0] == "plan"; refused {
					assert.Equal(t, ExitUsage, code, said)
				} else {
					assert.Zero(t, code, said)
				}
			}
			if c.chosen != nil {
				_, said, code := ran(t, "run", file, "--out", t.TempDir())
				assert.Equal(t, ExitUsage, code, said)
			}
			assert.NoFileExists(t, mark)
		})
	}
}

// TestUsersChoosePrograms: the command line may name any program, and the flag lets a file
// do so.
func TestUsersChoosePrograms(t *testing.T) {
	file, _ := hostile(t, "{of: fish, pair: module:example.dev/fish@v0.1.0..v0.2.0}")
	crd, _ := hostile(t, "{of: crd, pair: crd:manifests/old..crd:manifests/new, server: path:$EVIL}")
	for name, c := range map[string]struct {
		file  string
		flags engine.Request
		fails bool
	}{
		"the pair":         {file, engine.Request{Pair: engine.PairNames{Pair: "module:example.dev/fish@v0.1.0..v0.3.0"}}, false},
		"the same":         {file, engine.Request{Pair: engine.PairNames{Old: "module:example.dev/fish@v0.1.0", New: "module:example.dev/fish@v0.2.0"}}, false},
		"one end":          {file, engine.Request{Pair: engine.PairNames{Old: "module:example.dev/fish@v0.1.1"}}, true},
		"the flag":         {file, engine.Request{AllowPrograms: true}, false},
		"a server":         {crd, engine.Request{Server: "path:/c"}, false},
		"a released one":   {crd, engine.Request{Server: "kube-apiserver@v1.37.0"}, false},
		"allowed a server": {crd, engine.Request{AllowPrograms: true}, false},
		"another pair":     {crd, engine.Request{AA: "old"}, true},
	} {
		_, err := campaign.PrepareOne(t.Context(), newApp().Builds(), c.file, c.flags)
		if c.fails {
			assert.ErrorContains(t, err, "allow-programs", name)
		} else {
			assert.NoError(t, err, name)
		}
	}
}

// TestFilesNameNoOtherBuilds: paths, checkouts and images are no releases that a file can name.
func TestFilesNameNoOtherBuilds(t *testing.T) {
	for _, releases := range []string{
		"{pair: path:$EVIL..path:$EVIL}", "{pair: kube-apiserver@v1.36.3..path:$EVIL}", "{pair: source:/x..source:/y}",
		"{pair: image:example.dev/x:1..image:example.dev/x:2}", "{through: [kube-apiserver@v1.36.3, path:$EVIL]}", "{through: [path:$EVIL, path:$EVIL]}",
		"{of: crd, pair: crd:manifests/old..path:$EVIL}", "{of: crd, pair: crd:manifests/old..crd:manifests/new, server: image:example.dev/x:1}",
	} {
		file, mark := hostile(t, releases)
		for _, command := range []string{"plan", "validate", "run"} {
			_, said, code := ran(t, command, file)
			assert.Equal(t, ExitUsage, code, "%s %s: %s", command, releases, said)
		}
		assert.NoFileExists(t, mark)
	}
}

// TestServerFlag: --server is of custom resource definitions alone, and names an API server.
func TestServerFlag(t *testing.T) {
	file, _ := hostile(t, "{of: crd, pair: crd:manifests/old..crd:manifests/new}")
	for server, fails := range map[string]bool{"path:/c": false, "image:x": true, "frobber@1.0": true, "nonsense": true} {
		ta, err := campaign.PrepareOne(t.Context(), newApp().Builds(), file, engine.Request{Server: server})
		if fails {
			assert.ErrorContains(t, err, "server", server)
			continue
		}
		require.NoError(t, err, server)
		assert.Equal(t, []string{server, server}, []string{ta.Run.Refs[0].Manifests.Server, ta.Run.Refs[1].Manifests.Server})
	}
	_, err := campaign.PrepareOne(t.Context(), newApp().Builds(), "quiet", engine.Request{Server: "path:/c"})
	assert.ErrorContains(t, err, "server")
}
