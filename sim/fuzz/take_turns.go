package fuzz

import (
	"context"

	"github.com/skewsim/skewsim/scenarios/term"
)

// shared reports whether the releases of a run share what they install.
func (f *fuzzer) shared() bool {
	for _, b := range f.config.Builds {
		if b.Installs != nil {
			return true
		}
	}
	return false
}

// turnsOf returns the turns of two running releases that share what they install; nil if
// they do not. The new release's manifests are installed.
func (f *fuzzer) turnsOf(releases map[term.Role]*Release) *Turns {
	if !f.shared() {
		return nil
	}
	return NewTurns(term.New, func(ctx context.Context, role term.Role) error { return releases[role].Reinstall(ctx) })
}
