package main

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/campaign"
)

// TestFirstWords: a line that names the package which does not compile says nothing yet.
func TestFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"server b ended\nits log":                               "server b ended",
		"go build: # k8s.io/x\ncmd/x.go:3:2: undefined: y\nz":   "go build: cmd/x.go:3:2: undefined: y",
		"# k8s.io/x\n# k8s.io/x [k8s.io/x.test]\nx.go:1:1: bad": "x.go:1:1: bad",
		"go build: # k8s.io/x":                                  "go build: # k8s.io/x",
		"see issue #12\nand more":                               "see issue #12",
		"a\x1b[2Jb":                                             `a\u001b[2Jb`,
	} {
		assert.Equal(t, want, campaign.FirstLine(errors.New(text)))
	}
}

// TestTellUnbuilt: an error of a build is reported once, and printed in full if it has several
// lines.
func TestTellUnbuilt(t *testing.T) {
	var said bytes.Buffer
	a := &App{Out: io.Discard, Err: &said}
	_, err := a.Builder().Build(t.Context(), servers.Reference{Scheme: servers.SchemeSource, Path: "/nowhere"})
	require.Error(t, err)
	assert.Equal(t, []string{campaign.Message(err)}, tellUnbuilt(t.Context(), a))
	assert.Empty(t, tellUnbuilt(t.Context(), a), "it is reported once")
	assert.Empty(t, said.String(), "it has one line")
}
