package view

import "github.com/skewsim/skewsim/scenarios/term"

// Shape is the sign beside a state's word, so that readers need not distinguish colours.
// All signs are in the fonts of every system.
func Shape(s term.Outcome) string {
	switch s {
	case term.Undecodable:
		return "⊘"
	case term.Panicked:
		return "☇"
	case term.Lost:
		return "✗"
	case term.Changed:
		return "≠"
	case term.Varies:
		return "⇄"
	case term.Resurrected:
		return "↑"
	case term.Frozen:
		return "✱"
	case term.Refused:
		return "!"
	case term.Failed:
		return "△"
	case term.Dropped:
		return "∅"
	case term.Accepted:
		return "∈"
	case term.Hidden:
		return "◐"
	case term.Withdrawn:
		return "−"
	case term.Kept:
		return "✓"
	}
	return "?"
}
