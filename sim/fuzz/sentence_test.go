package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// TestSentence: a sentence has the value, the place and what happened to the value there.
func TestSentence(t *testing.T) {
	at := Place{Role: term.New, Resource: client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget"}}
	l := &lap{releases: map[term.Role]*Release{term.New: {Version: "v1.1"}}}
	j := &journey{number: 3, traveller: &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: at}}}
	shine := fieldpath.MakePathOrDie("spec", "shine")
	for want, f := range map[string]Fact{
		".spec.shine is 6 where it is read in v1 through v1.1, which makes it from fields that it does not publish itself (.spec.glow)": {From: ".spec.glow", Diff: Difference{Path: shine, Outcome: term.Changed, Before: nil, After: int64(6)}},
		".spec.shine, which it did not have, became 6 when":                                                                             {Wrote: true, Diff: Difference{Path: shine, Outcome: term.Changed, Before: nil, After: int64(6)}},
		".spec.shine = 5, acknowledged there, became 6 when":                                                                            {Wrote: true, Diff: Difference{Path: shine, Outcome: term.Changed, Before: int64(5), After: int64(6)}},
		"Gadget.example.dev #3, created in v1 through v1.1: .spec.s":                                                                    {Diff: Difference{Path: shine, Outcome: term.Lost, Before: int64(5), After: nil}},
	} {
		f.Through = at
		assert.Contains(t, l.sentence(j, f), want)
	}
}
