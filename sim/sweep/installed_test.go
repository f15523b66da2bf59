package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/result"
)

// TestInstalled: a definition that was refused reads nothing and loses nothing; another kind's, and
// the other release's, do.
func TestInstalled(t *testing.T) {
	refused := result.Finding{Check: term.CheckInstalls, Outcome: term.Refused, Defines: "Gadget.example.dev", Via: term.Old, Step: 10}
	unread := result.Finding{Outcome: term.Undecodable, Kind: "Gadget", Via: term.Old, Step: 20}
	lost := result.Finding{Outcome: term.Lost, Actor: term.OldServer, Kind: "Gadget", Via: term.Old, Step: 20, Verb: term.Put}
	earlier := lost
	earlier.Step = 5
	other := unread
	other.Kind = "Widget"
	newer := unread
	newer.Via = term.New

	assert.Equal(t, []result.Finding{refused}, Installed([]result.Finding{refused, unread}))
	assert.Equal(t, []result.Finding{unread, lost}, Installed([]result.Finding{unread, lost}), "nothing was refused")
	assert.Equal(t, []result.Finding{refused, other, newer, earlier}, Installed([]result.Finding{refused, other, newer, earlier}))
	kept := Installed([]result.Finding{refused, lost})
	assert.Equal(t, term.Lost.By(term.NewRelease), ruling.EffectOf(kept[1]))
	assert.Equal(t, term.Lost.By(term.OldServer), ruling.EffectOf(lost))
}
