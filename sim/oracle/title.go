package oracle

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// titled is the history with each release called by its title, as findings name it:
// one version may be there twice, with other options.
func titled(h *history.History) *history.History {
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

// emulator is the end whose servers emulate the version that the other's tell; "":
// none does.
func emulator(h *history.History) term.Role {
	versions := map[term.Role]string{}
	for role, r := range h.Releases {
		versions[role] = r.Version
	}
	role, _ := h.Header.Plan.Emulator(versions)
	return role
}
