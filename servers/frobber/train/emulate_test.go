package train_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

func emulate(t testing.TB, name, earlier string) *release.Release {
	t.Helper()
	r, err := train.Emulate(name, earlier)
	require.NoError(t, err)
	return r
}

// TestEmulateGates: a gate has the default of then, and one that came later is off for good.
func TestEmulateGates(t *testing.T) {
	gate := emulate(t, "1.18", "1.17").Gates[train.Frobber2D]
	assert.Equal(t, find(t, "1.17").Gates[train.Frobber2D], gate)
	assert.False(t, gate.Default)
	assert.True(t, find(t, "1.18").Gates[train.Frobber2D].Default, "the release itself is as it was")

	later := emulate(t, "1.20", "1.19").Gates[train.FrobberGlow]
	assert.Equal(t, featuregate.FeatureSpec{LockToDefault: true, PreRelease: featuregate.Alpha}, later)
}

// TestEmulateVersions: what is served, preferred and stored is that of then, and the rest
// can still be read from the store.
func TestEmulateVersions(t *testing.T) {
	for _, pair := range [][2]string{{"1.3", "1.2"}, {"1.4", "1.3"}, {"1.5", "1.4"}, {"1.28", "1.27"}, {"1.29", "1.28"}, {"1.30", "1.29"}} {
		r, then := emulate(t, pair[0], pair[1]), find(t, pair[1])
		assert.Equal(t, served(then), served(r), pair)
		assert.Equal(t, then.Storage, r.Storage, pair)
		assert.Len(t, r.Versions, len(find(t, pair[0]).Versions), pair)
	}
	v5, known := emulate(t, "1.29", "1.28").Version("v5")
	assert.True(t, known && !v5.Disabled)
}

// TestEmulateMutant: a mistake in the code is made under emulation as well.
func TestEmulateMutant(t *testing.T) {
	const question = "angle on create, gate off"
	assert.Equal(t, "none", probes()[question](t, emulate(t, "1.18", "1.17")))
	assert.Equal(t, "30", probes()[question](t, emulate(t, "1.18+early", "1.17")))
}

func TestEmulateNothing(t *testing.T) {
	for _, earlier := range []string{"1.19", "0.9", "1.17+perfect"} {
		_, err := train.Emulate("1.18", earlier)
		assert.ErrorContains(t, err, "--emulated-version", earlier)
	}
	_, err := train.Emulate("1.30", "1.28")
	assert.ErrorContains(t, err, "v5", "1.30 has no version that 1.28 serves")
	assert.Equal(t, "1.4+removed", emulate(t, "1.4+removed", "").String())
}
