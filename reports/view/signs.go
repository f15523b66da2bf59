package view

import (
	"cmp"

	"github.com/skewsim/skewsim/scenarios/term"
)

// signs are the shapes beside the words of outcomes, so that readers need not distinguish colours.
// All are in the fonts of every system.
var signs = map[term.Outcome]string{
	term.NotReady: "⊖", term.Undecodable: "⊘", term.Panicked: "☇", term.Unserved: "⊟", term.Frozen: "✱", term.PartlyFrozen: "✎",
	term.Lost: "✗", term.Changed: "≠", term.Varies: "≈", term.Resurrected: "↑", term.MeansOther: "≢", term.OwnershipChanged: "⇄",
	term.Restarted: "↻", term.Uncreatable: "⊕", term.Dropped: "∅", term.Refused: "!", term.Failed: "△", term.Outage: "▽", term.Accepted: "+",
	term.Indeterminate: "~", term.Hidden: "◐", term.Withdrawn: "−", term.Kept: "✓", term.NotExercised: "○",
}

// losses are the signs of losses by who lost the value.
var losses = map[term.Actor]string{term.OldServer: "✗", term.OldProgram: "⊠", term.OldClient: "×", term.NewProgram: "⊛", term.NewRelease: "⊗"}

// Shape is the sign of an outcome.
func Shape(o term.Outcome) string { return ShapeOf(o.Effect()) }

// ShapeOf is the sign of an outcome with who made it.
func ShapeOf(e term.Effect) string {
	if sign, is := losses[e.Actor]; is {
		return sign
	}
	return cmp.Or(signs[e.Outcome], "?") // a later version's word
}
