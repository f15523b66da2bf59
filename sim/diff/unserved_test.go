package diff

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/published"
)

// TestUnservedRemoved: a version that is dropped although it was only unserved is a difference. One that stays, is
// served now, or is newer than what is stored, and so was never stored, is none.
func TestUnservedRemoved(t *testing.T) {
	of := func(stored string, unserved ...string) published.Release {
		return published.Release{Resources: []published.Resource{{APIVersion: "example.com/" + stored, Kind: "Thing", Plural: "things", StorageVersion: stored, Unserved: unserved}}}
	}
	for name, c := range map[string]struct {
		old, new published.Release
		want     []string
	}{
		"dropped":         {of("v1", "v1alpha1", "v1beta1"), of("v1"), []string{"v1alpha1", "v1beta1"}},
		"of other words":  {of("v1", "stable"), of("v1"), []string{"stable"}},
		"stays":           {of("v1", "v1alpha1"), of("v1", "v1alpha1"), nil},
		"added":           {of("v1"), of("v1", "v1alpha1"), nil},
		"newer":           {of("v1", "v2alpha1"), of("v1"), nil},
		"the next stage":  {of("v1beta1", "v1beta2", "v1"), of("v1beta1"), nil},
		"an early number": {of("v1beta2", "v1beta1"), of("v1beta2"), []string{"v1beta1"}},
	} {
		r, err := Compare(c.old, c.new)
		require.NoError(t, err)
		var got []string
		for _, d := range r.Differences {
			if d.Difference == term.UnservedRemoved {
				got = append(got, d.Version)
				assert.False(t, d.Playable)
			}
		}
		assert.Equal(t, c.want, got, name)
	}
}
