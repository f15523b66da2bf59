package checks

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

func withheldFinding(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, w trace.Withheld) result.Finding {
	obs := w.Observation
	leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, obs.Step)
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	f.AcknowledgedStep = acked.Offered
	at, does := acked.Leaf.Path, "does not show it"
	if f.Outcome = term.Hidden; shown {
		f.Outcome, f.After = term.Changed, blame.Redacted(ev, tl, acked.Name, leaf.Value)
		does = "shows " + schema.Text(f.After)
	} else {
		at = topmostGone(ev, tl, at, ev.LeavesOf(tl, obs.Answer))
	}
	f.Path = path.String(at)
	f.Cause = blame.Misreading(ev, tl, acked, w.Version, obs)
	f.Class, f.Rule = blame.ClassOfMisread(ev, tl, acked, obs.Role, f.Cause)
	f.Before = blame.Redacted(ev, tl, f.Path, offeredValue(ev, tl, acked, at))
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), is stored, and %s, whose release publishes it, %s in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), acked.Offered, servedBy(ev, acked.Offered), reads(obs, f.Release), does,
		obs.Step, f.Stage, blame.CauseClause(ev, f), f.Class, f.Rule)
	return f
}

// reads says who shows the observation: the server, or its client, whose types read the protobuf
// that the server answered.
func reads(obs *trace.Observation, release string) string {
	if obs.Types == "" {
		return fmt.Sprintf("%s (%s)", obs.Replica, release)
	}
	return fmt.Sprintf("what %s reads of the protobuf that %s (%s) answered", obs.Types, obs.Replica, release)
}
