package session

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
)

// checkFlags finds what each release refuses of the user's flags: its servers are started without
// it. What the release that the objects come from refuses as well is no effect of the upgrade.
func (h *hop) checkFlags(ctx context.Context) error {
	refused := map[term.Role][]serverflags.Refusal{}
	for role, b := range h.builds {
		if h.request.Refused != nil {
			facts, _, err := h.Facts.Of(ctx, b)
			if err != nil {
				return err
			}
			var versions map[string][]string
			if facts != nil {
				versions = facts.VersionPriority
			}
			if refused[role], err = h.request.Refused(ctx, b, versions); err != nil {
				return err
			}
		}
		h.options[role] = privileged(serverflags.Without(h.request.Options, refused[role]))
	}
	for _, role := range []term.Role{term.Old, term.New} {
		for _, r := range refused[role] {
			h.flagsLeft = append(h.flagsLeft, fmt.Sprintf("%s, on %s: a server of it does not start with that", flagOf(r), h.versions[role]))
		}
	}
	d, other := preflight.Up, term.New
	if h.request.Rollback {
		d, other = preflight.Back, term.Old
	}
	running := h.versions[h.first()]
	for _, r := range refused[h.first()] {
		f := h.refusedFlag(r, h.first(), preflight.PhaseBaseline, d)
		f.Message += ". Servers of " + running + " that run are started with other flags than these; servers of the copy were started without it"
		f.Fix = "give the flags with which servers of " + running + " run"
		h.judged.AddBaseline(f)
	}
	for _, r := range serverflags.Gone(refused[h.first()], refused[other]) {
		f := h.refusedFlag(r, other, preflight.PhaseAlone, d)
		f.Fix = "remove " + f.Path + " before the " + map[bool]string{false: "upgrade", true: "rollback"}[h.request.Rollback]
		h.judged.Add(f)
	}
	return nil
}

// refusedFlag is the finding about a flag that servers of a release do not start with.
func (h *hop) refusedFlag(r serverflags.Refusal, role term.Role, phase string, d preflight.Direction) preflight.Finding {
	return preflight.Finding{Class: preflight.NotReady, Direction: d, Release: h.versions[role], Phase: phase, Path: flagOf(r), Message: r.Message}
}

// flagOf is a refused flag, or element of one, as a command line has it.
func flagOf(r serverflags.Refusal) string {
	if r.Element == "" {
		return "--" + r.Flag
	}
	return "--" + r.Flag + "=" + r.Element
}
