package oracle

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// TestStandIns: a note says what was played in the place of what, once where it was at
// both ends; and nothing where everything was what it is called.
func TestStandIns(t *testing.T) {
	plain := history.Release{Version: "v1.35.4", Reference: "kube-apiserver@v1.35.4"}
	other := history.Release{
		Version: "v1.36.1", Reference: "kube-apiserver@v1.36.1", Asked: "kube-apiserver@v1.36.3",
		Substituted: []string{"example.org/a v1.0.0 -> v1.0.1", "example.org/b v1.0.0 -> v1.1.0"},
	}
	told := []string{
		"v1.36.1 was played in the place of kube-apiserver@v1.36.3, which could not be had: another patch of the same minor",
		"v1.36.1 is not byte for byte what was released: not all modules could be had, and others stand in for them: " +
			"example.org/a v1.0.0 -> v1.0.1, example.org/b v1.0.0 -> v1.1.0",
	}
	for name, c := range map[string]struct {
		old, new history.Release
		want     []string
	}{
		"as asked": {plain, plain, nil},
		"one end":  {plain, other, told},
		"both":     {other, other, told},
		"clients": {
			history.Release{Typed: &history.Typed{Version: "v1.35.4", Substituted: []string{"example.org/a v1.0.0 -> v1.0.1"}}}, plain,
			[]string{"the typed clients of v1.35.4 are not byte for byte what was released: not all modules could be had, and others stand in for them: " +
				"example.org/a v1.0.0 -> v1.0.1"},
		},
		"below manifests": {
			plain, history.Release{Version: "new", Server: "kube-apiserver@v1.36.1", Substituted: []string{"example.org/a v1.0.0 -> v1.0.1"}},
			[]string{"kube-apiserver@v1.36.1 is not byte for byte what was released: not all modules could be had, and others stand in for them: " +
				"example.org/a v1.0.0 -> v1.0.1"},
		},
	} {
		h := &history.History{Releases: map[term.Role]history.Release{term.Old: c.old, term.New: c.new}}
		assert.Equal(t, c.want, standIns(h), name)
	}
}
