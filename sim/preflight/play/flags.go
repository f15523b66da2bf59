package play

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/probe"
)

// refusedFlags returns what the executable of each release refuses of the user's flags: its servers are
// started without it.
func (s *session) refusedFlags(ctx context.Context, builds map[term.Role]servers.Build) (map[term.Role][]serverflags.Refusal, error) {
	refused := map[term.Role][]serverflags.Refusal{}
	if s.request.Refused == nil {
		return refused, nil
	}
	for role, b := range builds {
		facts, _, err := s.Facts.Of(ctx, b)
		if err != nil {
			return nil, err
		}
		var versions map[string][]string
		if facts != nil {
			versions = facts.VersionPriority
		}
		if refused[role], err = s.request.Refused(ctx, b, versions); err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// without returns the options of servers without what a release refuses of the user's flags.
func (s *session) without(refused []serverflags.Refusal) servers.Options {
	return privileged(serverflags.Without(s.request.Options, refused))
}

// startEmpty starts a server on an empty store. An executable accepts flags with which a server ends at once,
// such as a range whose end is before its beginning: what it starts without is refused too.
func (s *session) startEmpty(ctx context.Context, b servers.Build, into *learnt) (*probe.Server, error) {
	server, err := probe.Start(ctx, s.config(b, s.without(into.refused), "empty"))
	for ended := endedBy(err); ended != nil && s.request.Refused != nil; ended = endedBy(err) {
		guilty, started, another := s.tryWithout(ctx, b, into.refused, ended)
		if guilty == nil {
			return nil, errors.Join(err, another) // the flags are not to blame
		}
		into.refused = append(into.refused, guilty.Ended(b, ended.Tail))
		server, err = started, another
	}
	return server, err
}

// endedBy returns how a server ended by itself; nil if it did not.
func endedBy(err error) *servers.ExitError {
	var ended *servers.ExitError
	if errors.As(err, &ended) && ended.Failure == fault.None {
		return ended
	}
	return nil
}

// tryWithout starts a server without one flag after the other, and returns the first one without which it starts,
// or no longer names that flag where it ends.
func (s *session) tryWithout(ctx context.Context, b servers.Build, refused []serverflags.Refusal, before *servers.ExitError) (*serverflags.Refusal, *probe.Server, error) {
	for _, r := range serverflags.Suspects(s.request.Options, refused, before.Tail) {
		config := s.config(b, s.without(append(slices.Clone(refused), r)), "empty")
		config.Logs = "" // of a trial
		server, err := probe.Start(ctx, config)
		ended := endedBy(err)
		switch {
		case err == nil, ended != nil && r.Named(before.Tail) && !r.Named(ended.Tail):
			return &r, server, err
		case ended == nil:
			return nil, nil, err
		}
	}
	return nil, nil, nil
}

// judgeFlags finds what each release refuses of the user's flags. What the release that the objects come from
// refuses as well is no effect of the upgrade.
func (h *hop) judgeFlags(refused map[term.Role][]serverflags.Refusal) {
	for _, role := range []term.Role{term.Old, term.New} {
		for _, r := range refused[role] {
			h.flagsLeft = append(h.flagsLeft, fmt.Sprintf("%s, on %s: a server of it does not start with that", flagOf(r), h.versions[role]))
		}
	}
	for _, r := range refused[term.Old] {
		if len(serverflags.Gone(refused[term.New], []serverflags.Refusal{r})) == 0 {
			h.refusedByBoth = append(h.refusedByBoth, flagOf(r))
		}
	}
	d, other := preflight.Up, term.New
	if h.request.Rollback {
		d, other = preflight.Back, term.Old
	}
	running := h.versions[h.first()]
	for _, r := range refused[h.first()] {
		f := refusedFlag(r, running, preflight.PhaseBaseline, d)
		f.Message += ". Servers of " + running + " that run are started with other flags than these; servers of the copy were started without it"
		f.Fix = "give the flags with which servers of " + running + " run"
		h.judged.AddBaseline(f)
	}
	for _, r := range serverflags.Gone(refused[h.first()], refused[other]) {
		f := refusedFlag(r, h.versions[other], preflight.PhaseAlone, d)
		f.Fix = "remove " + f.Path + " before the " + map[bool]string{false: "upgrade", true: "rollback"}[h.request.Rollback]
		h.judged.Add(f)
	}
}

// refusedFlag is the finding about a flag that servers of a release do not start with.
func refusedFlag(r serverflags.Refusal, version, phase string, d preflight.Direction) preflight.Finding {
	return preflight.Finding{Outcome: term.NotReady, Direction: d, Release: version, Phase: phase, Path: flagOf(r), Message: r.Message}
}

// flagOf is a refused flag, or element of one, as a command line has it.
func flagOf(r serverflags.Refusal) string {
	if r.Element == "" {
		return "--" + r.Flag
	}
	return "--" + r.Flag + "=" + r.Element
}
