package campaign

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIdentityOf: a version that many programs share is not sufficient.
func TestIdentityOf(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": `^v1\.2\.3$`, "v0.0.0-20260101000000-0123456789ab": `^v0\.0\.0-20260101000000-0123456789ab$`,
		"(devel)": `^\(devel\) [0-9a-f]{64}$`, "devel-0123456789ab": `^devel-0123456789ab [0-9a-f]{64}$`, "v1.2.3+dirty": ` [0-9a-f]{64}$`,
	} {
		is, err := identityOf(version)
		require.NoError(t, err)
		assert.Regexp(t, want, is)
	}
}
