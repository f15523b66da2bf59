package recorded

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Clean returns the history without what differs between two recordings of the same run, or is of
// no use to a check: times and durations, the salt, logs, addresses, texts for readers, and what
// no stage can execute. The given history is not modified.
func Clean(h *history.History) *history.History {
	c := *h
	c.Header.Started, c.Header.Salt = time.Time{}, "salt"
	c.Header.Plan.About, c.Header.Plan.Skipped = "", nil
	if store := c.Header.Store; store != nil {
		c.Header.Store = &term.Store{Kind: store.Kind, Version: store.Version}
	}
	if mutant := c.Header.Plan.Mutant; mutant != nil {
		without := *mutant
		without.About = ""
		c.Header.Plan.Mutant = &without
	}
	c.Releases = releases(h)
	c.Servers = each(h.Servers, func(s *history.Server) {
		s.At, s.Seconds, s.Held, s.Log, s.Message = 0, 0, 0, "", ""
		scrub(&s.Lacks)
		s.Installed = each(s.Installed, func(i *history.Installed) { scrub(&i.Message) })
	})
	c.Operations = each(h.Operations, func(op *history.Operation) { op.At = 0; plain(&op.Exchange) })
	c.Listings = each(h.Listings, func(l *history.Listing) { l.At = 0; plain(&l.Exchange) })
	c.Watches = each(h.Watches, func(w *history.Watch) { w.At = 0; scrub(&w.Message) })
	c.Trials = each(h.Trials, func(t *history.Trial) {
		t.At, t.Seconds, t.Log = 0, 0, ""
		scrub(&t.Message, &t.Error, &t.Lacks)
	})
	c.Changes = each(h.Changes, func(c *history.Change) { c.At = 0 })
	if h.End != nil {
		end := *h.End
		end.Digest = "" // of other lines
		scrub(&end.Message)
		c.End = &end
	}
	return &c
}

// each returns a new slice with changed elements.
func each[E any](all []E, change func(*E)) []E {
	all = slices.Clone(all)
	for i := range all {
		change(&all[i])
	}
	return all
}

func plain(x *history.Exchange) {
	x.Seconds = 0
	scrub(&x.Message, &x.Error)
}

// addresses matches the addresses of servers on this machine, in the texts of errors.
var addresses = regexp.MustCompile(`(?:127\.0\.0\.1|\[::1\]|localhost):[0-9]+`)

func scrub(texts ...*string) {
	for _, text := range texts {
		*text = addresses.ReplaceAllString(*text, "server")
	}
}

// releases returns the releases of the history without the digests of their programs, and with
// only the feature gates in which they differ. If one release emulates the other, all gates stay:
// a gate that an emulating server does not name is off there.
func releases(h *history.History) map[term.Role]history.Release {
	emulated := slices.ContainsFunc(h.Header.Plan.Releases, func(r plan.Release) bool { return r.Options.EmulatedVersion != "" })
	all := map[term.Role]history.Release{}
	for role, r := range h.Releases {
		r.Digest = ""
		if r.Typed != nil {
			typed := *r.Typed
			typed.Digest = ""
			r.Typed = &typed
		}
		others := h.Releases[role.Other()].Gates
		r.Gates = maps.Clone(r.Gates)
		maps.DeleteFunc(r.Gates, func(gate string, on bool) bool {
			other, known := others[gate]
			return known && on == other && !emulated
		})
		all[role] = r
	}
	return all
}

// unclean reports what must not be published in the text of a history.
func unclean(text string) error {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		home = "/home"
	}
	for _, part := range []string{strings.TrimSuffix(os.TempDir(), "/") + "/", home + "/", "127.0.0.1:", "localhost:", "/logs/"} {
		if at := strings.Index(text, part); at >= 0 {
			return fmt.Errorf("the trimmed history holds %q: …%s…", part, text[max(0, at-60):min(len(text), at+100)])
		}
	}
	return nil
}
