package play

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
		r     Request
		want  map[string]bool
	}{
		"lacks the flag":               {lacks, Request{}, nil},
		"has the flag":                 {knows, Request{}, every},
		"no module":                    {servers.Build{}, Request{}, every},
		"lacks it, and the user gives": {lacks, Request{RuntimeConfig: map[string]string{"a/v1": "true"}}, map[string]bool{"a/v1": true}},
		"has it, and the user gives":   {knows, Request{RuntimeConfig: map[string]string{"a/v1": "true"}}, map[string]bool{"a/v1": true}},
	} {
		options, err := c.r.options()
		require.NoError(t, err, name)
		config := fuzz.Config{Builds: map[term.Role]servers.Build{term.Old: c.build, term.New: c.build}, Options: startedWith(options, c.build)}
		if c.r.RuntimeConfig == nil {
			switchAll(t.Context(), config)
		}
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
	switchAll(t.Context(), c)
	assert.Equal(t, map[string]bool{"api/all": true}, c.Options[term.Old].RuntimeConfig)
	assert.Equal(t, map[string]bool{"api/all": false}, c.Options[term.New].RuntimeConfig)
}
