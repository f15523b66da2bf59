package session

import (
	"context"

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
	d, other := preflight.Up, term.New
	if h.request.Rollback {
		d, other = preflight.Back, term.Old
	}
	for _, r := range refused[h.first()] {
		h.judged.AddBaseline(h.refusedFlag(r, h.first(), preflight.PhaseBaseline, d))
	}
	for _, r := range serverflags.Gone(refused[h.first()], refused[other]) {
		h.judged.Add(h.refusedFlag(r, other, preflight.PhaseAlone, d))
	}
	return nil
}

// refusedFlag is the finding about a flag that servers of a release do not start with.
func (h *hop) refusedFlag(r serverflags.Refusal, role term.Role, phase string, d preflight.Direction) preflight.Finding {
	f := preflight.Finding{Class: preflight.NotReady, Direction: d, Release: h.versions[role], Phase: phase, Path: "--" + r.Flag, Message: r.Message}
	if r.Element != "" {
		f.Path += "=" + r.Element
	}
	f.Fix = "remove " + f.Path + " before the upgrade"
	return f
}
