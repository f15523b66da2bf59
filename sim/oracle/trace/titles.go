package trace

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// WithTitles is the history with each release called by its title, as findings name it:
// one version may be there twice, with other options.
func WithTitles(h *history.History) *history.History {
	p, t := &h.Header.Plan, *h
	t.Releases = maps.Clone(h.Releases)
	for role, r := range t.Releases {
		if r.Version != "" {
			r.Version = p.Title(role, r.Version)
			t.Releases[role] = r
		}
	}
	t.Servers = slices.Clone(h.Servers)
	for i, s := range t.Servers {
		if s.Version != "" {
			t.Servers[i].Version = p.Title(s.Role, s.Version)
		}
	}
	return &t
}

// Emulator is the end whose servers emulate the version that the other's tell; "": none
// does, or the scenario switches other gates or APIs at one end than at the other, and
// nothing tells that from emulation.
func Emulator(h *history.History) term.Role {
	role, emulates := h.Header.Plan.Emulator(Versions(h))
	if !emulates || !h.Header.Plan.SwitchedAlike() {
		return ""
	}
	return role
}

// Versions are those that the servers tell.
func Versions(h *history.History) map[term.Role]string {
	all := map[term.Role]string{}
	for role, r := range h.Releases {
		all[role] = r.Version
	}
	return all
}
