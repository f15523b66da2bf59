package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestWriteNothing: releases that do not differ leave no scenario to write; rows of which none was played are
// an error, since the user waits for their files.
func TestWriteNothing(t *testing.T) {
	s := &session{request: Request{Write: t.TempDir()}}
	assert.NoError(t, s.write())
	s.result.Rows = []sweep.Row{{ID: "a row"}}
	assert.ErrorContains(t, s.write(), s.request.Write)
}

// TestPairIn: a scenario names folders that are below its own, and what comes from a module or a release; the
// command line alone names what is elsewhere, and programs.
func TestPairIn(t *testing.T) {
	for pair, want := range map[string]string{
		"crd:out/old..crd:out/new":                             "crd:old..crd:new",
		"crd:old..crd:out/new":                                 "",
		"crd:example.com/m@v1.0.0//crds..crd:out/new":          "crd:example.com/m@v1.0.0//crds..crd:new",
		"crd:example.com/m@v1.0.0//crds..v1.1.0":               "crd:example.com/m@v1.0.0//crds..v1.1.0",
		"frobber@1.0..1.1":                                     "frobber@1.0..1.1",
		"kube-apiserver@v1.36.3..source:../kubernetes":         "",
		"path:out/kube-apiserver-a..path:out/kube-apiserver-b": "",
	} {
		assert.Equal(t, want, pairIn(Request{Ends: engine.Ends{Pair: pair}}, "out"), pair)
	}
}

// TestServerIn: a scenario names a server that is built, and no program.
func TestServerIn(t *testing.T) {
	on := func(reference string) servers.Build {
		return servers.Build{Installs: &servers.Installation{Server: servers.Build{Reference: reference}}}
	}
	assert.Equal(t, "kube-apiserver@v1.36.3", serverIn(on("kube-apiserver@v1.36.3")))
	assert.Empty(t, serverIn(on("path:kube-apiserver")))
	assert.Empty(t, serverIn(servers.Build{Reference: "frobber@1.0"}))
}
