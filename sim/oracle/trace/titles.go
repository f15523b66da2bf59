package trace

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// WithTitles returns the history with each release named by its title, as findings name it: a
// pair may have one version twice, with different options.
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

// Emulator returns the release whose servers emulate the version that the other's servers report.
// It returns "" if neither does, or if the scenario switches gates or APIs of one release only,
// which cannot be distinguished from emulation.
func Emulator(h *history.History) term.Role {
	role, emulates := h.Header.Plan.Emulator(Versions(h))
	if !emulates || !h.Header.Plan.SwitchedAlike() {
		return ""
	}
	return role
}

// Versions returns the versions that the servers report.
func Versions(h *history.History) map[term.Role]string {
	all := map[term.Role]string{}
	for role, r := range h.Releases {
		all[role] = r.Version
	}
	return all
}
