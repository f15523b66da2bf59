package preflights

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/snapshot"
)

// TestStated: a release that is older than what the snapshot says of itself does not fit; the same minor
// release, a newer one, and one of a snapshot that says nothing do.
func TestStated(t *testing.T) {
	for name, c := range map[string]struct {
		from, guess, want string
		refused           bool
	}{
		"nothing said":    {"", "", "", false},
		"guessed":         {"", "v1.36.2", "v1.36", false},
		"given":           {"v1.36", "", "v1.36", false},
		"same minor":      {"v1.36.1", "v1.36.9", "v1.36.1", false},
		"older than that": {"v1.36", "v1.37.2", "", true},
		"newer kubelets":  {"v1.37", "v1.36.2", "v1.37", false},
		"a build":         {"kube-apiserver@v1.35.4", "v1.36.2", "", true},
		"a checkout":      {"source:../kubernetes", "v1.36.2", "source:../kubernetes", false},
	} {
		release, _, err := sourceFlags{from: c.from}.stated(snapshot.Guess{Release: c.guess, Source: "a test"})
		assert.Equal(t, c.refused, fault.Is(err, fault.User), "%s: %v", name, err)
		assert.Equal(t, c.want, release, name)
	}
}
