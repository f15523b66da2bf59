package session

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/podtemplate"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// baseline judges the first release alone.
func (h *hop) baseline(base taken) error {
	return reading.Each(base.file, func(r *reading.Record) error {
		if r.Form == "" && h.internal[r.Kind] {
			h.judged.Exclude(r.Key)
			return nil
		}
		h.judged.Count(r)
		h.revised(r)
		if r.Revision > h.filled {
			h.wrote(r)
			return nil
		}
		h.judged.AddBaseline(preflight.Alone(h.seen(base, r), h.direction())...)
		if r.Form == "" {
			h.judged.Add(h.unread(base, r))
		}
		return nil
	})
}

// unread is the finding about an object that no server of the copy reads.
func (h *hop) unread(base taken, r *reading.Record) preflight.Finding {
	f := preflight.Alone(h.seen(base, r), h.direction())[0]
	f.Class = preflight.Indeterminate
	return f
}

// revised notes whose template a revision keeps.
func (h *hop) revised(r *reading.Record) {
	var object map[string]any
	if json.Unmarshal(r.Object, &object) != nil {
		return
	}
	if of := podtemplate.RevisionOf(object, r.Namespace); of != "" {
		h.revisedBy[of] = true
	}
}

// direction is the one that the first release is asked for.
func (h *hop) direction() preflight.Direction {
	if h.request.Rollback {
		return preflight.Back
	}
	return preflight.Up
}

// wrote notes an object that a server wrote by itself.
func (h *hop) wrote(r *reading.Record) {
	h.judged.Exclude(r.Key)
	h.result.Written[r.Kind]++
}

// each calls each with what two readings show of the objects that no server wrote by itself before
// the second reading began.
func (h *hop) each(first, second taken, each func(first, second preflight.Seen) error) error {
	return reading.Compare(first.file, second.file, func(a, b *reading.Record) error {
		if b != nil && a == nil || a != nil && b == nil {
			h.wrote(present(a, b))
			return nil
		}
		if b.Revision > first.until && b.Revision <= second.until && !h.judged.Excluded(b.Key) {
			h.wrote(b)
		}
		if h.judged.Excluded(b.Key) {
			return nil
		}
		return each(h.seen(first, a), h.seen(second, b))
	})
}

func present(a, b *reading.Record) *reading.Record {
	if a != nil {
		return a
	}
	return b
}

// mixed judges the older release beside the newer one.
func (h *hop) mixed(before, beside taken) error {
	return h.each(before, beside, func(a, b preflight.Seen) error {
		h.judged.Add(preflight.Worse(a, b, preflight.Up)...)
		return nil
	})
}

// upgrade judges the newer release alone.
func (h *hop) upgrade(before, alone taken) error {
	return h.each(before, alone, func(a, b preflight.Seen) error {
		h.judged.Add(preflight.Worse(a, b, preflight.Up)...)
		h.judged.Add(preflight.Otherwise(a, b, preflight.Up, h.revisedBy)...)
		h.judged.Default(b.Kind, preflight.Defaults(a, b))
		return nil
	})
}

// returned judges the older release after the newer one has served alone.
func (h *hop) returned(u upgraded, read taken) error {
	first := u.alone
	if u.before != nil {
		first = *u.before
	}
	return h.each(first, read, func(a, b preflight.Seen) error {
		h.judged.Add(preflight.Worse(a, b, preflight.Back)...)
		if u.before != nil {
			h.judged.Add(preflight.Otherwise(a, b, preflight.Back, h.revisedBy)...)
		}
		return nil
	})
}

// lost judges what a release shows after another one has written every object.
func (h *hop) lost(before, after taken, by string, written reading.Written) error {
	return h.compared(before, after, func(a, b preflight.Seen) error {
		h.judged.Add(preflight.Losses(a, b, preflight.Back, by)...)
		return nil
	})
}

// afterRewrite judges what the older release shows after the newer one has rewritten every object.
func (h *hop) afterRewrite(u upgraded, read taken, written reading.Written) error {
	first := u.alone
	if u.before != nil {
		first = *u.before
	}
	return h.compared(first, read, func(a, b preflight.Seen) error {
		h.judged.Add(preflight.Worse(a, b, preflight.Back)...)
		if u.before != nil {
			h.judged.Add(preflight.Losses(a, b, preflight.Back, "the newer release")...)
		}
		return nil
	})
}

// compared calls each with what two readings show of the objects that no server wrote by itself.
func (h *hop) compared(first, second taken, each func(first, second preflight.Seen) error) error {
	return reading.Compare(first.file, second.file, func(a, b *reading.Record) error {
		if a == nil || b == nil || h.judged.Excluded(b.Key) {
			return nil
		}
		return each(h.seen(first, a), h.seen(second, b))
	})
}

// thresholds finds the writes that there is no clean way back from, in what the releases publish.
func (h *hop) thresholds(ctx context.Context) error {
	for role, b := range h.builds {
		facts, missing, err := h.Facts.Of(ctx, b)
		if err != nil {
			return err
		}
		r := h.published[role]
		if r.Missing = append(r.Missing, missing...); facts != nil {
			if r.Facts, err = json.Marshal(facts); err != nil {
				return err
			}
		}
		h.published[role] = r
	}
	compared, err := diff.Compare(h.published[term.Old], h.published[term.New])
	if err != nil {
		return err
	}
	kinds := map[string]bool{} // that are stored
	for _, r := range h.published[term.New].Resources {
		kinds[r.Kind] = kinds[r.Kind] || slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "create")
	}
	for _, d := range compared.Differences {
		if t, is := preflight.ThresholdOf(d); is && kinds[t.Kind] && !slices.Contains(h.result.PointOfNoReturn, t) {
			h.result.PointOfNoReturn = append(h.result.PointOfNoReturn, t)
		}
	}
	return nil
}
