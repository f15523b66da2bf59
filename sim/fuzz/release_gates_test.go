package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/client"
)

func TestGateThatNoReleaseHas(t *testing.T) {
	of := func(all ...client.Feature) *Release { return &Release{Features: all} }
	firm, off, gone := client.Feature{Name: "Firm", On: true}, client.Feature{Name: "Glow"}, client.Feature{Name: "Gone"}
	for name, c := range map[string]struct {
		own, other *Release
		on         bool
	}{
		"neither release has it":     {of(firm), of(firm, off), true},
		"the other release has it":   {of(firm), of(gone), false},
		"this release has it, off":   {of(firm, gone), of(firm), false},
		"this one reports no gates":  {of(), of(firm), false},
		"other one reports no gates": {of(firm), of(), false},
	} {
		assert.Equal(t, c.on, c.own.GatesOn([]string{"Gone"}, c.other), name)
	}
	assert.False(t, of(off).GatesOn([]string{"Gone", "Glow"}, of(firm)), "beside one that is off")
}
