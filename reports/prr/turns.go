package prr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// turning is a question about roll-outs to a release with the feature, or to one without
// it.
type turning struct {
	wanted   func(off, again []string) []string // of the executed roll-outs, those it is about
	never    string                             // the answer if no run has any
	missing  string                             // the same for one run
	switched string                             // what no run did with a gate
	done     string                             // what roll-outs did to a gate
	instead  string                             // what was executed if no gate was switched
	without  string                             // the same for a release that does not know the gate
	kept     func(comebacks) string             // the answer if nothing was found
	// keeps says what stays as it was, of a run that left the feature in some roll-outs, where it found something.
	keeps   func(m Measured, off []string, found []result.Finding) string
	returns bool // whether values that were hidden can reappear, and what stayed is part of every answer
	creates bool // whether creates through a server without the feature belong to it, whenever they were played
	isYesNo bool // whether the question asks for a yes or a no
	checks  []term.CheckName
}

const (
	noUser  = "no object that used the feature was stored"
	howUsed = "To measure it, give an object a `treated` form that uses the feature, or have a line `set` it."
)

// unused says that nothing in a run used the feature.
func (m Measured) unused() string {
	if m.users > 0 {
		return ""
	}
	return " " + view.Capitalized(noUser) + "."
}

// using returns the runs in which something used the feature: only they show what happens
// to the feature's values.
func using(runs []Measured) []Measured {
	return filterRuns(runs, func(m Measured) bool { return m.users > 0 })
}

func filterRuns(runs []Measured, fit func(Measured) bool) []Measured {
	return slices.DeleteFunc(slices.Clone(runs), func(m Measured) bool { return !fit(m) })
}

// turned answers a question about roll-outs: from runs that switch a gate, if there are
// any, and separately from those of which one release does not know it.
func turned(p *document.MarkdownLines, below *document.MarkdownLines, r review, q turning) {
	went := filterRuns(r.all, q.measured)
	if len(went) == 0 && slices.ContainsFunc(r.all, func(m Measured) bool {
		return slices.ContainsFunc(m.features(), func(f feature) bool { return m.endedBefore(f.with, q.wanted) })
	}) {
		unmeasured(p, "the run ended before its journey went there", "The details have the reason; run it again.")
		q.part(below, r.all)
		return
	}
	if len(went) == 0 {
		unmeasured(p, q.never, howAgain)
		return
	}
	if len(using(went)) == 0 {
		unmeasured(p, noUser+" in a run that went there", howUsed)
		return
	}
	gated, brought := filterRuns(using(r.gated), q.measured), filterRuns(using(r.brought), q.measured)
	switch {
	case len(gated) == 0:
		p.Line("Not measured of a gate: %s. Measured of %s:\n%s.", r.whyNotUsed(q), q.instead, view.Capitalized(q.part(below, r.others())))
		q.part(below, r.gated)
	case len(brought) == 0:
		p.Line("%s.", view.Capitalized(q.part(below, r.gated)))
	default:
		p.Line("Of switching the gate: %s.\nOf %s: %s.", q.part(below, r.gated), q.without, q.part(below, r.brought))
	}
}

// whyNotUsed says why nothing is known about switching a gate.
func (r review) whyNotUsed(q turning) string {
	if slices.ContainsFunc(r.gated, q.measured) {
		return noUser + " in a run that " + q.switched
	}
	return r.whyNot(q.switched)
}

// endedBefore reports whether a run's journey leads there, and the run ended before.
func (m Measured) endedBefore(with term.Role, wanted func(off, again []string) []string) bool {
	planned := m
	planned.turns = slices.Clone(m.turns)
	for i := range planned.turns {
		planned.turns[i].played = true
	}
	return len(wanted(m.turnsTo(with))) == 0 && len(wanted(planned.turnsTo(with))) > 0
}

// measured reports whether a run has roll-outs that the question is about.
func (q turning) measured(m Measured) bool {
	return slices.ContainsFunc(m.features(), func(f feature) bool { return len(q.wanted(m.turnsTo(f.with))) > 0 })
}

// part writes the runs' answers to the question, each below, and all in a clause.
func (q turning) part(below *document.MarkdownLines, runs []Measured) string {
	var n claims
	for _, m := range runs {
		for _, f := range m.features() {
			off, again := m.turnsTo(f.with)
			switch turns := q.wanted(off, again); {
			case len(turns) == 0 && m.endedBefore(f.with, q.wanted):
				below.Line("- %s: not measured: the run ended before its journey went there.%s", m.name, m.unjudged())
			case len(turns) == 0:
				below.Line("- %s: not measured: %s.", m.name, q.missing)
			case m.users == 0:
				below.Line("- %s: not measured: %s.", m.name, noUser)
			default:
				n.add(q.claim(below, m, f, off, again))
			}
		}
	}
	well := q.kept(n.back)
	if q.returns && n.keeps != "" {
		well = n.keeps + "; " + well
	}
	words := n.words(well)
	if !q.isYesNo {
		return words
	}
	return n.decided(words, "no", "yes")
}

// claim writes the answer of one run below.
func (q turning) claim(below *document.MarkdownLines, m Measured, f feature, off, again []string) claims {
	turns := q.wanted(off, again)
	found := view.Select(m.result.Findings, func(one result.Finding) bool {
		return slices.Contains(turns, m.phases[one.Stage]) || q.creates && createsWithout(f, one)
	})
	var back comebacks
	well := ""
	keeps := q.keeps(m, off, found)
	if q.returns {
		back = comebacksOf(m, off, again)
		if keeps != "" {
			well = ", and " + keeps
		}
	}
	n := claim(below, m, f.turnWords(q.done, turns)+": ", q.kept(back)+well, back, found, q.checks)
	if !n.doubt {
		n.keeps = keeps
	}
	return n
}

// createsWithout reports whether a finding is about what a server without the feature did with a create that uses it:
// it does the same after the feature is switched off.
func createsWithout(f feature, one result.Finding) bool {
	return one.Verb.Creates() && one.Via == f.with.Other() && one.CopyRole != term.Bystander && one.CopyRole != term.Control &&
		slices.Contains([]term.Outcome{term.Dropped, term.Refused, term.Accepted}, one.Outcome)
}

// turnWords says which roll-outs did what to the feature.
func (f feature) turnWords(done string, turns []string) string {
	names := strings.Join(turns, " and the ")
	if len(f.gates) == 0 {
		return "in the " + names
	}
	if f.fieldless {
		return fmt.Sprintf("in the %s, between a release with %s and one that knows the gate and not its field", names, f.names())
	}
	if f.unknown {
		return fmt.Sprintf("in the %s, between a release with %s and one that does not know it", names, f.names())
	}
	return fmt.Sprintf("%s was switched %s by the %s", f.names(), done, names)
}
