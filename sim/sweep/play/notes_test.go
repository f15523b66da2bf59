package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// TestAdmissionNotes: each webhook that nobody serves is named with its release; a release of servers has none.
func TestAdmissionNotes(t *testing.T) {
	assert.Equal(t, []string{"admission webhook of new left out: a"}, AdmissionNotes(map[term.Role]servers.Build{
		term.Old: {}, term.New: {Installs: &servers.Installation{LeftOut: []string{"a"}}},
	}))
}
