package checks

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// mistaken is a value that a release shows where nobody wrote one: it took the protobuf tag of a
// field that it does not know for one of its own.
type mistaken struct {
	version *trace.StoredVersion
	obs     *trace.Observation
	leaf    schema.Leaf
}

// findMistaken finds where releases that do not know an acknowledged value's field show its value
// as another field's: the first for each release. Equal values alone are weak evidence, so the
// two fields must appear and disappear together wherever they are seen.
func findMistaken(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) []mistaken {
	var all []mistaken
	for _, role := range trace.NewestFirst() {
		if ev.Declares(role, tl, acked.Leaf.Path) {
			continue
		}
		if m := mistakenBy(ev, tl, acked, role); m.obs != nil {
			all = append(all, m)
		}
	}
	return all
}

func mistakenBy(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, role term.Role) mistaken {
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if v.Change.Revision < acked.Revision || acked.IsWithdrawnAt(v) || storage.Encoding(v.Change.Encoding) != storage.Protobuf {
			continue
		}
		if state, _ := ev.PresenceOf(tl, v, acked); state != trace.Present {
			continue
		}
		for _, obs := range trace.ServedAs(v, role) {
			leaves := ev.LeavesOf(tl, obs.Answer)
			for _, name := range trace.Union(leaves, nil) {
				if takenFor(ev, tl, acked, v, obs, leaves[name]) && comeTogether(ev, tl, acked, role, leaves[name]) {
					return mistaken{v, obs, leaves[name]}
				}
			}
		}
	}
	return mistaken{}
}

// takenFor reports whether an answer shows the acknowledged value at another path, although no
// client wrote it there, no default sets it, and no other release shows it there.
func takenFor(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation, leaf schema.Leaf) bool {
	up := acked.Leaf.Path[:len(acked.Leaf.Path)-1]
	if leaf.Semantic != acked.Leaf.Semantic || trace.IsVoid(leaf) || !path.Contains(up, leaf.Path) || ev.IsPublishedDefault(tl, obs.Role, leaf) {
		return false
	}
	return !shownByOthers(ev, tl, v, obs.Role, leaf.Path) && !everSent(ev, tl, v, leaf.Path)
}

// shownByOthers reports whether another release shows anything at a path of a version.
func shownByOthers(ev *trace.Evidence, tl *trace.Timeline, v *trace.StoredVersion, role term.Role, at fieldpath.Path) bool {
	for _, other := range trace.NewestFirst() {
		for _, obs := range v.Views[other] {
			if _, shown := ev.LeavesOf(tl, obs.Answer)[path.String(at)]; other != role && shown {
				return true
			}
		}
	}
	return false
}

// everSent reports whether a client had sent the copy a value at a path by the time that a
// version was stored.
func everSent(ev *trace.Evidence, tl *trace.Timeline, v *trace.StoredVersion, at fieldpath.Path) bool {
	for _, acked := range tl.AckedValues {
		if path.Contains(at, acked.Leaf.Path) && acked.Offered <= v.Step {
			return true
		}
	}
	for _, step := range tl.Acts {
		if step <= v.Step && trace.WasSent(ev, tl, ev.Acts[step], at) {
			return true
		}
	}
	return false
}

// comeTogether reports whether a release shows a value at a path whenever, and only when, the
// other one shows the same value in the acknowledged value's field: in all copies of the kind, in
// every version that both have served, some with the value and some without.
func comeTogether(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, role term.Role, leaf schema.Leaf) bool {
	with, without := 0, 0
	for _, other := range ev.Timelines {
		if other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Manifest.Kind != tl.Manifest.Kind {
			continue
		}
		for i := range other.Versions {
			v := &other.Versions[i]
			mine, theirs := trace.ServedAs(v, role), trace.ServedAs(v, role.Other())
			if len(mine) == 0 || len(theirs) == 0 || everSent(ev, other, v, leaf.Path) {
				continue
			}
			here := ev.LeavesOf(other, mine[0].Answer)[path.String(leaf.Path)]
			there := ev.LeavesOf(other, theirs[0].Answer)[acked.Name]
			switch {
			case here.Semantic != there.Semantic:
				return false
			case trace.IsVoid(here):
				without++
			default:
				with++
			}
		}
	}
	return with > 0 && without > 0
}

func mistakenFinding(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, m mistaken) result.Finding {
	obs := m.obs
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, obs.Step)
	f.Replica, f.Via, f.Release = obs.Replica, obs.Role, ev.History.Releases[obs.Role].Version
	f.AcknowledgedStep, f.Path = acked.Offered, path.String(m.leaf.Path)
	f.Outcome, f.Cause, f.Class, f.Rule = term.Changed, term.BadEncoding, term.Violation, term.RuleStorage
	f.After = blame.Redacted(ev, tl, f.Path, m.leaf.Value)
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), is stored, and %s, whose release does not know it, shows it as %s, which nobody sent, in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, acked.Name, schema.Text(blame.Redacted(ev, tl, acked.Name, acked.Leaf.Value)), acked.Offered, servedBy(ev, acked.Offered), reads(obs, f.Release),
		f.Path, obs.Step, f.Stage, blame.CauseClause(ev, f), f.Class, f.Rule)
	return f
}
