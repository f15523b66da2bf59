package builder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestStandIn: what a program file lacks in a preflight has its line, and a program that depends on a release's version is refused, before
// anything is built; the same file without these mistakes is not.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	for text, want := range map[string]string{
		"auto: {module: example.dev/op@v1.0.0, setup: absent.go}\n":                                                 "p.yaml:1: auto.setup: ",
		"component: op\ncommand: [./absent, $(port), $(certDir)]\nkinds: [Widget]\n":                                "p.yaml:2: command: ",
		"component: op\ncommand: [./absent, $(port), $(certDir), $(version)]\nkinds: [Widget]\n":                    "$(version) is the version",
		"component: op\nimage: op:$(version)\nflags: [$(port), $(certDir)]\nkinds: [Widget]\n":                      "$(version) is the version",
		"auto: {module: example.dev/op@$(version)}\n":                                                               "$(version) is the version",
		"component: op\ncommand: [./absent]\nflags: [$(port), $(certDir), $(kubeconfig), $(version)]\nkinds: [W]\n": "$(kubeconfig) is for",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, _, err := New(Config{}).StandIn(t.Context(), file)
		require.ErrorContains(t, err, want, text)
		assert.True(t, fault.Is(err, fault.User), text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "op"), []byte("#!/bin/sh\n"), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("component: op\ncommand: [./op, $(port), $(certDir)]\nkinds: [Widget]\n"), 0o600))
	_, kinds, err := New(Config{}).StandIn(t.Context(), file)
	require.NoError(t, err)
	assert.Equal(t, []string{"Widget"}, kinds)
}
