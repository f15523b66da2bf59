package session

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// repair looks for what makes the findings about refused writes of a reading go away: for one
// object of each kind and cause, it has the server accept the object with another value, or without one.
func (h *hop) repair(ctx context.Context, s *probe.Server, t taken, d preflight.Direction) error {
	tried := map[string]string{} // by kind, path and message
	asked := map[string]bool{}
	err := reading.Each(t.file, func(r *reading.Record) error {
		for _, try := range r.Tries {
			if !try.Refused() || len(try.Causes) == 0 || h.judged.Excluded(r.Key) {
				continue
			}
			f := preflight.Refusal(h.seen(t, r), d, try)
			cause := preflight.CauseOf(f)
			if try.Write == reading.Template || asked[cause] || !h.judged.Asks(f) {
				continue
			}
			asked[cause] = true
			var fields []string
			for _, c := range try.Causes {
				fields = append(fields, c.Field)
			}
			fix, err := reading.Repair(ctx, s.Conn, h.forms(t.role), *r, fields)
			if err != nil {
				return err
			}
			if fix.Field != "" {
				tried[cause] = fixed(fix, h.fields[t.role].Path(r.Form, r.Kind, fix.Field), h.builds[t.role].Version)
			}
		}
		return nil
	})
	h.judged.Fix(tried)
	return err
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
