package oracle

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
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

// emulator is the end whose servers emulate the version that the other's tell; "": none
// does, or the scenario switches other gates or APIs at one end than at the other, and
// nothing tells that from emulation.
func emulator(h *history.History) term.Role {
	role, emulates := h.Header.Plan.Emulator(versions(h))
	if !emulates || !h.Header.Plan.SwitchedAlike() {
		return ""
	}
	return role
}

// unjudged is the note that emulation is not judged, where it could have been.
func unjudged(h *history.History) []string {
	if _, emulates := h.Header.Plan.Emulator(versions(h)); emulates && emulator(h) == "" {
		return []string{"emulation is not judged: the scenario switches other gates or APIs at one end than at the other"}
	}
	return nil
}

// skips is the note that the pair skips a minor release, if it does.
func skips(h *history.History) []string {
	if words := h.Header.Plan.Unsupported(versions(h)); words != "" {
		return []string{words}
	}
	return nil
}

// versions are those that the servers tell.
func versions(h *history.History) map[term.Role]string {
	all := map[term.Role]string{}
	for role, r := range h.Releases {
		all[role] = r.Version
	}
	return all
}
