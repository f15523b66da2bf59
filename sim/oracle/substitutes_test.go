package oracle

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestStandIns: a note says what replaced what, once where it was at
// both releases; and nothing where everything was what it is called.
func TestStandIns(t *testing.T) {
	plain := history.Release{Version: "v1.35.4", Reference: "kube-apiserver@v1.35.4"}
	other := history.Release{
		Version: "v1.36.1", Reference: "kube-apiserver@v1.36.1", Asked: "kube-apiserver@v1.36.3",
		Substituted: []string{"example.org/a v1.0.0 -> v1.0.1", "example.org/b v1.0.0 -> v1.1.0"},
	}
	reported := []string{
		"v1.36.1 replaced kube-apiserver@v1.36.3, which was not available: another patch of the same minor",
		"v1.36.1 is not byte for byte what was released: not all modules were available, and other versions replace them: " +
			"example.org/a v1.0.0 -> v1.0.1, example.org/b v1.0.0 -> v1.1.0",
	}
	for name, c := range map[string]struct {
		old, new history.Release
		want     []string
	}{
		"as asked": {plain, plain, nil},
		"one end":  {plain, other, reported},
		"both":     {other, other, reported},
		"clients": {
			history.Release{Typed: &history.Typed{Version: "v1.35.4", Substituted: []string{"example.org/a v1.0.0 -> v1.0.1"}}}, plain,
			[]string{"the typed clients of v1.35.4 are not byte for byte what was released: not all modules were available, and other versions replace them: " +
				"example.org/a v1.0.0 -> v1.0.1"},
		},
		"below manifests": {
			plain, history.Release{Version: "new", Server: "kube-apiserver@v1.36.1", Substituted: []string{"example.org/a v1.0.0 -> v1.0.1"}},
			[]string{"kube-apiserver@v1.36.1 is not byte for byte what was released: not all modules were available, and other versions replace them: " +
				"example.org/a v1.0.0 -> v1.0.1"},
		},
	} {
		h := &history.History{Releases: map[term.Role]history.Release{term.Old: c.old, term.New: c.new}}
		assert.Equal(t, c.want, substitutes(h), name)
	}
}

// TestStoreNote: a store that is not skewsim's own is named, and no other.
func TestStoreNote(t *testing.T) {
	assert.Empty(t, storeNote(nil))
	assert.Empty(t, storeNote(&term.Store{Kind: term.StoreEmbedded, Version: "3.6.5"}))
	assert.Equal(t, []string{"the store was etcd 3.5.9 of image:etcd:3.5.9-0 (sha256:ab)"},
		storeNote(&term.Store{Kind: term.StoreImage, Version: "3.5.9", Reference: "image:etcd:3.5.9-0", Digest: "sha256:ab"}))
	assert.Equal(t, []string{"the store was an existing etcd: 3.4.0, at https://a:1, https://b:1"},
		storeNote(&term.Store{Kind: term.StoreExisting, Version: "3.4.0", Endpoints: []string{"https://a:1", "https://b:1"}}))
}

// TestNoteOnAModule: the result has of a build how its server was started, as the
// history has it; and nothing where it is no module's.
func TestNoteOnAModule(t *testing.T) {
	adapter := &term.Adapter{Component: "sample-apiserver", Behind: term.Behind{Reference: "kube-apiserver@v1.36.1"}}
	h := &history.History{
		Header:   history.Header{Plan: plan.Plan{Releases: []plan.Release{{Role: term.Old}, {Role: term.New}}}},
		Releases: map[term.Role]history.Release{term.Old: {Role: term.Old}, term.New: {Role: term.New, Adapter: adapter}},
	}
	builds := newResult(h).Builds
	assert.Nil(t, builds[0].Adapter)
	assert.Equal(t, adapter, builds[1].Adapter)
}
