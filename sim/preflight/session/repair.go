package session

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// repair looks for what makes the findings about refused writes of a reading go away: for one
// object of each kind and cause, it has the server accept the object without the field.
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
			if try.Write == reading.Template || asked[cause] || !h.judged.Has(f) {
				continue
			}
			asked[cause] = true
			without, err := reading.Repair(ctx, s.Conn, h.forms(t.role), *r, try.Causes[0].Field)
			if err != nil {
				return err
			}
			if without != "" {
				tried[cause] = fmt.Sprintf("remove %s: %s accepts the object then", h.fields[t.role].Path(r.Form, r.Kind, without), h.builds[t.role].Version)
			}
		}
		return nil
	})
	h.judged.Fix(tried)
	return err
}
