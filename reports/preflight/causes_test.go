package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestBlame: a server that is not ready names the objects of the collection that it cannot read, whichever
// release found them, and no others.
func TestBlame(t *testing.T) {
	unread := func(kind, name string) preflight.Finding {
		return preflight.Finding{Outcome: term.Undecodable, Kind: kind, Namespace: "shop", Name: name, Message: "no"}
	}
	frozen := unread("ConfigMap", "frozen")
	frozen.Outcome = term.Frozen
	grouped := unread("ConfigMap", "of-a-group")
	grouped.Group = "example.com"
	h := preflight.Hop{
		Findings: []preflight.Finding{{Outcome: term.NotReady, Direction: preflight.Up, Unread: []string{"ConfigMap"}}},
		Baseline: []preflight.Finding{unread("ConfigMap", "garbage"), unread("ConfigMap", "garbage"), unread("Secret", "other"), unread("Config", "of-a-shorter-name"), grouped, frozen},
	}
	c := group(h).Causes[0]
	assert.Equal(t, "ConfigMap garbage in shop", c.owners(maxOwners))
	assert.Empty(t, c.count())
}

// TestAmounts: an amount that a server computes for each object is no cause of its own; another sentence is.
func TestAmounts(t *testing.T) {
	says := func(name, message string) preflight.Finding {
		return preflight.Finding{Outcome: term.Frozen, Kind: "A", Name: name, Path: ".spec.cpu", Message: message}
	}
	causes, _ := causesOf([]preflight.Finding{
		says("a", "must be less than the limit (12.6x)"), says("b", "must be less than the limit (62.9x)"), says("c", "must be more than the request (12.6x)"),
	})
	var objects []int
	for _, c := range causes {
		objects = append(objects, c.Objects)
	}
	assert.ElementsMatch(t, []int{2, 1}, objects)
}
