package play

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// repair looks for what makes the findings about refused writes of a reading go away: it has the
// server accept an object with another value, or without one, for some objects of each cause until one has a fix. A fix
// that cannot be tried, or whose try breaks, is no fix: nothing else depends on it.
func (h *hop) repair(ctx context.Context, s *probe.Server, t taken, d preflight.Direction) error {
	const most = 3               // objects of one cause that are tried
	tried := map[string]string{} // by cause, as the next
	asked := map[string]int{}
	err := reading.Each(t.file, func(r *reading.Record) error {
		for _, try := range r.Tries {
			err := fault.Guard(func() error {
				cause, asks := h.repairs(t, r, try, d)
				if !asks || tried[cause] != "" || asked[cause] >= most {
					return nil
				}
				asked[cause]++
				fix, err := reading.Repair(ctx, s.Conn, h.forms(t.role), *r, try.Fields())
				if err == nil && fix.Field != "" {
					tried[cause] = fixed(fix, h.fields[t.role].Path(r.Form, r.Kind, fix.Field), h.builds[t.role].Version)
				}
				return err
			})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				h.say("no fix of an object of the kind %s was tried: %v", r.Kind, err)
			}
		}
		return nil
	})
	h.judged.Fix(tried)
	return err
}

// repairs reports whether a fix is looked for after a write, and the cause that it would remove: a server has
// named fields for which it refuses the object itself.
func (h *hop) repairs(t taken, r *reading.Record, try reading.Try, d preflight.Direction) (cause string, asks bool) {
	if !try.Refused() || !try.OfObject() || len(try.Fields()) == 0 || h.judged.Excluded(r.Key) {
		return "", false
	}
	f := preflight.Refusal(h.seen(t, r), d, try)
	return preflight.CauseOf(f), h.judged.Asks(f)
}

// fixed says what to do to a field so that a release accepts the object.
func fixed(f reading.Fix, path, release string) string {
	switch {
	case f.Anew && !f.Canonical:
		return fmt.Sprintf("create the object anew without %s: %s accepts it then", path, release)
	case f.Anew:
		return fmt.Sprintf("create the object anew with the canonical form of %s (no leading zeros, no host bits): %s accepts it then", path, release)
	case f.Canonical:
		return fmt.Sprintf("write the canonical form of %s (no leading zeros, no host bits): %s accepts the object then", path, release)
	}
	return fmt.Sprintf("remove %s: %s accepts the object then", path, release)
}
