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
		h.options[role] = serverflags.Without(h.request.Options, refused[role])
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
	f := preflight.Finding{Class: preflight.NotReady, Direction: d, Release: h.versions[role], Phase: phase, Path: "--" + r.Flag, Message: r.Message}
	if r.Element != "" {
		f.Path += "=" + r.Element
	}
	return f
}
