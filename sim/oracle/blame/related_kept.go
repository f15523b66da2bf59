package blame

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// carriedBeside returns the member of a related group that a write carried unchanged while it
// lost a value of another member: the server had what it needs to keep the group in step. It
// returns nil if none exists.
func (w Write) carriedBeside() fieldpath.Path {
	if w.version == nil || trace.OtherVersion(w.Timeline, w.Step) {
		return nil
	}
	sent := w.Ev.SentLeaves(w.Timeline, w.Act)
	for _, group := range w.Ev.Related {
		if !slices.ContainsFunc(group, func(p fieldpath.Path) bool { return path.Contains(p, w.Acked.Leaf.Path) }) {
			continue
		}
		for _, member := range group {
			if !path.Contains(member, w.Acked.Leaf.Path) && w.sendsAsItWas(member, sent) {
				return member
			}
		}
	}
	return nil
}

// sendsAsItWas reports whether the request holds at a path exactly what the stored version that
// it met holds there.
func (w Write) sendsAsItWas(at fieldpath.Path, sent schema.Leaves) bool {
	before := w.Timeline.Previous(w.version)
	if before == nil {
		return false
	}
	now := trace.Within(at, sent)
	return len(now) > 0 && slices.ContainsFunc(trace.NewestFirst(), func(role term.Role) bool {
		return slices.ContainsFunc(before.Views[role], func(obs *trace.Observation) bool {
			return maps.Equal(now, trace.Within(at, w.Ev.LeavesOf(w.Timeline, obs.Answer)))
		})
	})
}

// KeptBeside returns the related path which shows that a server could have kept what a client did
// not carry back, as the guide requires. It returns nil if none exists, or if the value was
// lost in another way.
func KeptBeside(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss, why term.Cause) fieldpath.Path {
	switch why {
	case term.ClientOmitted, term.ReadHidden, term.ApplyReleased:
		v := lost.Version
		return Write{Ev: ev, Timeline: tl, Acked: acked, version: v, Act: ev.Acts[v.Step], Step: ev.Steps[v.Step].Step}.carriedBeside()
	}
	return nil
}
