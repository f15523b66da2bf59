package view

import "github.com/skewsim/skewsim/scenarios/term"

// Visible returns inert text in one line: see term.Visible.
func Visible(text string) string { return term.Visible(text) }
