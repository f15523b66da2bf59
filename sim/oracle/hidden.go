package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// withheld is an answer that shows a stored value not at all, or otherwise than
// others do, though the release that answers publishes it.
type withheld struct {
	version *version
	sight   *sight
}

// findWithheld notes where a value was withheld. That a release hides what it
// does not publish is to be expected, and no finding. Each release is told of
// once: rather of what it served itself than of what a client's types made of it.
func (e *evidence) findWithheld(l *life, n *entry) {
	for _, role := range newestFirst() {
		if !e.declares(role, l, n.leaf.Path) {
			continue
		}
		var typed withheld
		for i := range l.versions {
			v := &l.versions[i]
			s := e.withholder(l, n, v, role)
			if s != nil && s.types == "" {
				n.withheld, typed = append(n.withheld, withheld{v, s}), withheld{}
				break
			}
			if s != nil && typed.sight == nil {
				typed = withheld{v, s}
			}
		}
		if typed.sight != nil {
			n.withheld = append(n.withheld, typed)
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
	var typed *sight
	for _, s := range v.views[role] {
		leaf, shown := n.in(e.leavesOf(l, s.answer))
		if shown && leaf.Semantic == n.leaf.Semantic {
			continue
		}
		// A trial serves nobody, and types without a place for it show nothing.
		switch {
		case s.replica == "" || !e.tells(l, *s, n.leaf.Path):
		case s.types == "":
			return s
		case typed == nil:
			typed = s
		}
	}
	return typed
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
	f.Path = path.String(at)
	f.Cause = e.misreading(l, n, w.version, s)
	f.Class, f.Rule = e.broken(l, n, s.role, f.Cause)
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), is stored, and %s, whose release publishes it, %s in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), n.offered, e.servedBy(n.offered), s.reads(f.Release), does,
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

// reads says who shows what the sight does: the server, or its client, whose
// types read the protobuf that the server answered.
func (s *sight) reads(release string) string {
	if s.types == "" {
		return fmt.Sprintf("%s (%s)", s.replica, release)
	}
	return fmt.Sprintf("what %s reads of the protobuf that %s (%s) answered", s.types, s.replica, release)
}
