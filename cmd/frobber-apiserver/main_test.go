package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// run gives what a command line prints.
func run(args ...string) (string, error) {
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.Execute()
	return out.String(), err
}

func TestReleasesAreListed(t *testing.T) {
	out, err := run("releases")
	require.NoError(t, err)
	for _, name := range train.Names() {
		assert.Contains(t, out, name)
		for _, twin := range train.Twins(name) {
			assert.Contains(t, out, " "+name+"+"+twin)
		}
	}
}

// TestNewestIsTheDefault, and no server starts as a release that there is not.
func TestNewestIsTheDefault(t *testing.T) {
	names := train.Names()
	assert.Equal(t, names[len(names)-1], newRoot().Flag("release").DefValue)
	_, err := run("--release=0.9")
	require.ErrorContains(t, err, `release "0.9": not on the train (releases: 1.0, `)
	_, err = run("serve")
	require.ErrorContains(t, err, `unknown command "serve"`)
}
