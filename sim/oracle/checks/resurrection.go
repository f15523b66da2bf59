package checks

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Resurrection judges that no value which a rollback hid from every replica is served again
// later. It judges untouched copies only: a value that was written in between is not the one that
// was hidden. Its facts are the acknowledged values of those copies, at each stage whose edge was
// recorded.
func Resurrection(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, tl := range ev.Timelines {
		if tl.Copy.Role != term.Untouched {
			continue
		}
		for _, acked := range tl.AckedValues {
			if acked.Acknowledged {
				j.Facts += len(trace.ByStage(ev, tl, acked))
			}
		}
	}
	for _, c := range ev.Comebacks {
		f := resurrected(ev, c)
		if !slices.ContainsFunc(j.Findings, func(g result.Finding) bool { return g.Copy == f.Copy && g.Path == f.Path }) {
			j.Findings = append(j.Findings, f) // a hidden member is reported as a whole
		}
	}
	return j
}

func resurrected(ev *trace.Evidence, c trace.Comeback) result.Finding {
	tl, acked, obs, hidden := c.Timeline, c.Value, c.Shown, c.Hidden
	at := topmostGone(ev, tl, acked.Leaf.Path, ev.LeavesOf(tl, hidden.Hid.Answer))
	f := blame.NewCollector(ev, tl, term.CheckResurrection, obs.Step)
	f.Path, f.Outcome, f.Cause = path.String(at), term.Resurrected, term.Unattributed
	f.Class, _ = blame.ClassOf(ev, tl, at)
	f.Rule = term.RuleResurrection
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	f.Before = blame.Redacted(ev, tl, f.Path, offeredValue(ev, tl, acked, at))
	f.After, f.AcknowledgedStep = f.Before, acked.Offered
	blame.AddOwners(ev, &f, hidden.Hid.Answer, obs.Answer)
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), hidden from every replica at %s, is served again in step %d (%s) by %s (%s), although nothing wrote it: after the rollback it seemed to be gone; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), acked.Offered, servedBy(ev, acked.Offered), hidden.Name, obs.Step, f.Stage, obs.Replica, f.Release, f.Class, f.Rule)
	return f
}
