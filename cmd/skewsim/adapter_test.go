package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/engine"
)

// TestAdapt: an adapter is for modules, and refused without one.
func TestAdapt(t *testing.T) {
	assert.NoError(t, engine.AdaptsAny("", []string{"frobber@1.0"}))
	assert.NoError(t, engine.AdaptsAny("a.yaml", []string{"frobber@1.0", "module:example.dev/fish@v0.1.0", "folder"}))
	assert.EqualError(t, engine.AdaptsAny("a.yaml", []string{"frobber@1.0", ""}),
		"adapter a.yaml: none of the builds (frobber@1.0) is of a module: leave it out")
	for _, command := range [][]string{
		{"fuzz", "frobber@1.0..1.1"}, {"lint", "frobber@1.1", "--since", "frobber@1.0"}, {"builds", "get", "frobber@1.0"},
	} {
		a := newApp()
		code := execute(t.Context(), a, append(command, "--adapter", "a.yaml"))
		assert.Equal(t, ExitUsage, code, command)
	}
}
