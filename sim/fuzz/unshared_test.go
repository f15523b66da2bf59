package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// TestUnshared: a version that only one release serves is named with its laps, and breaks
// nothing; versions of both are not named.
func TestUnshared(t *testing.T) {
	serves := func(version string, all ...string) *Release {
		r := &Release{Version: version}
		for i := 0; i < len(all); i += 2 {
			r.Served = append(r.Served, client.Discovered{APIVersion: all[i], Kind: all[i+1]})
		}
		return r
	}
	r := &Result{Laps: []Lap{{Features: "off", Kinds: []KindLap{{Kind: "A.x", Objects: 1, Accepted: 1}}}}}
	f := &fuzzer{result: r, kinds: []string{"A.x", "B.x", "C.x"}}
	old := serves("v1.0", "x/v1", "A", "x/v1beta1", "A", "x/v1", "B")
	f.noteUnshared("off", map[term.Role]*Release{term.Old: old, term.New: serves("v1.1", "x/v1", "A")})
	f.noteUnshared("on", map[term.Role]*Release{term.Old: old, term.New: serves("v1.1", "x/v1", "A", "x/v2", "A")})
	assert.Equal(t, []Unshared{
		{Kind: "A.x", Version: "v1beta1", By: "v1.0", NotBy: "v1.1", Laps: []string{"off", "on"}},
		{Kind: "B.x", Version: "v1", By: "v1.0", NotBy: "v1.1", KindToo: true, Laps: []string{"off", "on"}},
		{Kind: "A.x", Version: "v2", By: "v1.1", NotBy: "v1.0", Laps: []string{"on"}},
	}, r.Unshared)
	r.judge()
	assert.Equal(t, term.Pass, r.Verdict)
	var text bytes.Buffer
	require.NoError(t, Text(&text, *r))
	assert.Equal(t, 1, bytes.Count(text.Bytes(), []byte("  B.x v1: v1.0 serves it")))
	f.result = &Result{}
	f.kinds = []string{"B.x"}
	f.noteUnshared("off", map[term.Role]*Release{term.Old: old, term.New: {Version: "v1.1", ReadOnly: []string{"B.x"}}})
	assert.Equal(t, []Unshared{{Kind: "B.x", Version: "v1", By: "v1.0", NotBy: "v1.1", Laps: []string{"off"}}}, f.result.Unshared, "it can be read there")
	f.result = &Result{}
	f.noteUnshared("off", map[term.Role]*Release{term.Old: old, term.New: old})
	assert.Empty(t, f.result.Unshared)
}
