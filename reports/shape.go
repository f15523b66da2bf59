package reports

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// shape is the sign that stands beside a state's word, so that colour is never
// what tells two states apart. All are in the fonts every system has.
func shape(s term.State) string {
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
	case term.NotAccepted:
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

// shapeStyle gives each state's class its shape. The empty text after the
// slash keeps screen readers from reading a sign before a word that says the
// same.
func shapeStyle() string {
	var b strings.Builder
	for _, e := range term.States() {
		fmt.Fprintf(&b, ".%s::before{content:\"%s\\00a0\";content:\"%s\\00a0\" / \"\"}\n", e.Word, shape(e.Word), shape(e.Word))
	}
	return b.String()
}
