package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/fuzz"
)

// helpful is a build of a module whose server's help is this.
func helpful(t *testing.T, text string) servers.Build {
	t.Helper()
	file := filepath.Join(t.TempDir(), "server")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\necho '"+text+"'\n"), 0o700))
	return servers.Build{Path: file, Aggregated: &servers.Aggregation{}}
}

// TestSwitchAll: a module's server that cannot switch APIs is not asked to, and one that
// can is, unless the user said which.
func TestSwitchAll(t *testing.T) {
	lacks, knows := helpful(t, "  --bind-address ip"), helpful(t, "  --bind-address ip\n  --runtime-config mapStringBool")
	every := map[string]bool{"api/all": true}
	for name, c := range map[string]struct {
		build servers.Build
		f     fuzzFlags
		want  map[string]bool
	}{
		"lacks the flag":               {lacks, fuzzFlags{}, nil},
		"has the flag":                 {knows, fuzzFlags{}, every},
		"no module":                    {servers.Build{}, fuzzFlags{}, every},
		"lacks it, and the user gives": {lacks, fuzzFlags{apis: true, runtimeConfig: map[string]string{"a/v1": "true"}}, map[string]bool{"a/v1": true}},
		"has it, and the user gives":   {knows, fuzzFlags{apis: true, runtimeConfig: map[string]string{"a/v1": "true"}}, map[string]bool{"a/v1": true}},
	} {
		c.f.count, c.f.timeout = 1, 1
		config, err := c.f.config("x@1..2", false)
		require.NoError(t, err, name)
		config.Builds = map[term.Role]servers.Build{term.Old: c.build, term.New: c.build}
		c.f.switchAll(t.Context(), config)
		assert.Equal(t, c.want, config.Options[term.Old].RuntimeConfig, name)
		assert.Equal(t, c.want, config.Options[term.New].RuntimeConfig, name)
	}
}

// TestSwitchAllUnder: what the user gives of one release is laid over the default.
func TestSwitchAllUnder(t *testing.T) {
	c := fuzz.Config{
		Builds:  map[term.Role]servers.Build{term.Old: {}, term.New: {}},
		Options: map[term.Role]servers.Options{term.Old: {}, term.New: {RuntimeConfig: map[string]bool{"api/all": false}}},
	}
	fuzzFlags{}.switchAll(t.Context(), c)
	assert.Equal(t, map[string]bool{"api/all": true}, c.Options[term.Old].RuntimeConfig)
	assert.Equal(t, map[string]bool{"api/all": false}, c.Options[term.New].RuntimeConfig)
}

// TestAdapt: an adapter is for modules, and refused where there is none.
func TestAdapt(t *testing.T) {
	assert.NoError(t, adaptsAny("", []string{"frobber@1.0"}))
	assert.NoError(t, adaptsAny("a.yaml", []string{"frobber@1.0", "module:example.dev/fish@v0.1.0", "folder"}))
	assert.EqualError(t, adaptsAny("a.yaml", []string{"frobber@1.0", ""}),
		"--adapter a.yaml: none of the builds (frobber@1.0) is of a module: leave it out")
	for _, command := range [][]string{
		{"fuzz", "frobber@1.0..1.1"}, {"lint", "frobber@1.1", "--since", "frobber@1.0"}, {"builds", "get", "frobber@1.0"},
	} {
		a := newApp()
		code := a.execute(t.Context(), append(command, "--adapter", "a.yaml"))
		assert.Equal(t, exitUsage, code, command)
	}
}
