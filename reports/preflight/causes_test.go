package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/preflight"
)

// TestBlame: a server that is not ready names the objects of the collection that it cannot read, whichever
// release found them, and no others.
func TestBlame(t *testing.T) {
	unread := func(kind, name string) preflight.Finding {
		return preflight.Finding{Class: preflight.Undecodable, Kind: kind, Namespace: "shop", Name: name, Message: "no"}
	}
	frozen := unread("ConfigMap", "frozen")
	frozen.Class = preflight.Frozen
	grouped := unread("ConfigMap", "of-a-group")
	grouped.Group = "example.com"
	h := preflight.Hop{
		Findings: []preflight.Finding{{Class: preflight.NotReady, Direction: preflight.Up, Unread: []string{"ConfigMap"}}},
		Baseline: []preflight.Finding{unread("ConfigMap", "garbage"), unread("ConfigMap", "garbage"), unread("Secret", "other"), unread("Config", "of-a-shorter-name"), grouped, frozen},
	}
	c := group(h).Causes[0]
	assert.Equal(t, "ConfigMap garbage in shop", c.owners(mostOwners))
	assert.Empty(t, c.count())
}
