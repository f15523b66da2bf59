package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// withheld is an answer that shows a stored value not at all, or otherwise than
// others do, though the release that answers publishes it.
type withheld struct {
	version *version
	sight   *sight
}

// findWithheld notes where a value was withheld. That a release hides what it
// does not publish is to be expected, and no finding. Each release is told of once.
func (e *evidence) findWithheld(l *life, n *entry) {
	for _, role := range newestFirst() {
		if !e.declares(role, l, n.leaf.Path) {
			continue
		}
		for i := range l.versions {
			v := &l.versions[i]
			if s := e.withholder(l, n, v, role); s != nil {
				n.withheld = append(n.withheld, withheld{v, s})
				break
			}
		}
	}
}

// withholder is the first answer of a release that does not show the value of
// a version which holds it; nil: there is none.
func (e *evidence) withholder(l *life, n *entry, v *version, role term.Role) *sight {
	if v.change.Revision < n.revision || v.change.Deleted || n.over(v) {
		return nil
	}
	if state, _ := e.look(l, v, n); state != present {
		return nil // lost, or changed: another finding's
	}
	for _, s := range v.views[role] {
		leaf, shown := n.in(e.leavesOf(l, s.answer))
		if shown && leaf.Semantic == n.leaf.Semantic {
			continue
		}
		// A trial serves nobody, and types without a place for it show nothing.
		if s.replica != "" && e.tells(l, *s, n.leaf.Path) {
			return s
		}
	}
	return nil
}

func (e *evidence) withheldFinding(l *life, n *entry, w withheld) result.Finding {
	s := w.sight
	leaf, shown := n.in(e.leavesOf(l, s.answer))
	f := e.finding(l, term.NothingLost, s.step)
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	f.AcknowledgedStep = n.offered
	at, does := n.leaf.Path, "does not show it"
	if f.State = term.Hidden; shown {
		f.State, f.After = term.Changed, e.shown(l, n.name, leaf.Value)
		does = "shows " + schema.Text(f.After)
	} else {
		at = e.topmostGone(l, at, e.leavesOf(l, s.answer))
	}
	if s.types != "" {
		does += ", as the types of " + string(s.types) + " read it,"
	}
	f.Path = path.String(at)
	f.Cause = e.misreading(l, n, w.version, s)
	f.Class, f.Rule = e.broken(l, n, s.role, f.Cause)
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), is stored, and %s (%s), whose release publishes it, %s in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), n.offered, e.servedBy(n.offered), s.replica, f.Release, does,
		s.step, f.Stage, because(f.Cause), f.Class, f.Rule)
	return f
}

// because is a cause in words, where there is one.
func because(c term.Cause) string {
	if c == term.Unattributed {
		return ""
	}
	return fmt.Sprintf(": %s; %s", c, term.Causes().Meaning(c))
}
