package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// comesBack tells whether the journey can show a resurrection: a roll-out that
// follows a rollback, of an object that nothing else writes.
func comesBack(e *evidence, steps []int) bool {
	journey := e.history.Header.Plan.Journey
	i := slices.Index(journey, term.Rollback)
	return i >= 0 && i < len(journey)-1 && e.bear(steps, func(c plan.Copy) bool { return c.Role == term.Untouched })
}

// resurrection judges that no value which a rollback hid from every replica is
// served again later. It looks at untouched copies alone: a value that was
// written in between is not the one that was hidden. Its facts are the
// acknowledged values of those copies, at each stage whose edge was seen.
func resurrection(e *evidence) judged {
	var j judged
	for _, l := range e.byCopy {
		if l.copy.Role != term.Untouched {
			continue
		}
		for _, n := range l.entries {
			if n.acknowledged {
				j.facts += len(e.byStage(l, n))
			}
		}
	}
	for _, c := range e.calls.back {
		f := e.resurrected(c)
		if !slices.ContainsFunc(j.findings, func(g result.Finding) bool { return g.Copy == f.Copy && g.Path == f.Path }) {
			j.findings = append(j.findings, f) // what was hidden whole is told whole
		}
	}
	return j
}

// stageView is what a stage showed of one value: the first answer that showed
// it, if any did, and which replicas were heard.
type stageView struct {
	name  string
	shown *sight
	hid   *sight // the last answer that did not show it
	heard map[string]bool
}

// everybody tells whether each replica was heard: one that did not answer may
// not have hidden the value.
func (s stageView) everybody(replicas int) bool { return len(s.heard) == replicas }

func (e *evidence) byStage(l *life, n *entry) []stageView {
	var all []stageView
	last := -1
	for i := range l.sights {
		s := &l.sights[i]
		if !s.ok() || s.step < n.offered {
			continue
		}
		at := e.steps[s.step]
		if at.index != last {
			last = at.index
			all = append(all, stageView{name: at.stage, heard: map[string]bool{}})
		}
		all[len(all)-1].heard[s.replica] = true
		leaf, shown := n.in(e.leavesOf(l, s.answer))
		view := &all[len(all)-1]
		switch {
		case !shown || leaf.Semantic != n.leaf.Semantic:
			view.hid = s
		case view.shown == nil:
			view.shown = s
		}
	}
	return all
}

func (e *evidence) resurrected(c comeback) result.Finding {
	l, n, s, hidden := c.l, c.n, c.shown, c.hidden
	at := e.topmostGone(l, n.leaf.Path, e.leavesOf(l, hidden.hid.answer))
	f := e.finding(l, term.NoResurrection, s.step)
	f.Path, f.State, f.Cause = path.String(at), term.Resurrected, term.Unattributed
	f.Class, _ = e.class(l, at)
	f.Rule = term.Resurrection
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	f.Before = e.shown(l, f.Path, e.offeredValue(l, n, at))
	f.After, f.AcknowledgedStep = f.Before, n.offered
	e.closeBooks(&f, hidden.hid.answer, s.answer)
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), hidden from every replica at %s, is served again in step %d (%s) by %s (%s), though nothing wrote it: the operator thought it gone; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), n.offered, e.servedBy(n.offered), hidden.name, s.step, f.Stage, s.replica, f.Release, f.Class, f.Rule)
	return f
}
