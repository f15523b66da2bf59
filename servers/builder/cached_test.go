package builder

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/build"
)

// TestRelated: a release's server and clients one after the other, releases beside each other.
func TestRelated(t *testing.T) {
	assert.Equal(t, [][]string{
		{"kube-apiserver@v1.35.4"}, {"kube-apiserver@v1.36.1", "typed-client@v1.36.1"},
		{"source:../kubernetes", "typed-client@source:../kubernetes"}, {"typed-client@v1.34.4"},
	}, Related([]string{
		"kube-apiserver@v1.35.4", "kube-apiserver@v1.36.1", "source:../kubernetes",
		"typed-client@source:../kubernetes", "typed-client@v1.34.4", "typed-client@v1.36.1",
	}))
}

// TestSourceOf: what kind of thing each is made from.
func TestSourceOf(t *testing.T) {
	for from, want := range map[string]string{
		"": "module", "source:../kubernetes": "checkout", "typed-client@source:/x": "typed client of a checkout",
	} {
		assert.Equal(t, want, SourceOf(build.Built{Name: "kube-apiserver", Version: "v1.36.3", Reference: from}), from)
	}
	assert.Equal(t, "typed client of a release", SourceOf(build.Built{Name: "typed-client", Version: "v1.36.3"}))
}

// TestAtOnce: at least one, and no more than there are.
func TestAtOnce(t *testing.T) {
	assert.Equal(t, 1, AtOnce(1))
	assert.GreaterOrEqual(t, AtOnce(9), 1)
	assert.LessOrEqual(t, AtOnce(9), 9)
}
