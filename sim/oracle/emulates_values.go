package oracle

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// counts tells whether a path is one that emulation is about: any that either release
// publishes, but for the servers' own.
func (m *emulation) counts(l *life, p fieldpath.Path) bool {
	return (m.e.declares(m.by, l, p) || m.e.declares(m.of, l, p)) &&
		!slices.ContainsFunc(serverOwned(), func(own fieldpath.Path) bool { return path.Contains(own, p) })
}

// compareLosses holds what became of acknowledged values: one end keeps in the store
// what the other loses.
func (m *emulation) compareLosses(p samePair) {
	by, of := m.fates(p.l, p.by), m.fates(p.other, p.of)
	for _, name := range slices.Sorted(maps.Keys(by)) {
		due, met := of[name]
		if is := by[name]; met && due.state != is.state {
			m.tellValue(p, text(is.leaf.Path), due, is)
		}
	}
}

// fate is what a write made of a value that was there: in words, and as a state.
type fate struct {
	state term.State
	leaf  schema.Leaf // the value as it was acknowledged
	after schema.Leaf // what is there now, where that is another
}

func (f fate) words() string {
	switch f.state {
	case term.Lost:
		return "lost it"
	case term.Changed:
		return "made it " + schema.Text(f.after.Value)
	}
	return "kept it"
}

// fates are what a write made of the acknowledged values that it met, by path; none
// where the call stored nothing, or where nothing tells what it met.
func (m *emulation) fates(l *life, number int) map[string]fate {
	met, all := m.e.wroteOver(l, number), map[string]fate{}
	v := l.version(m.e.acts[number].Exchange.Revision)
	if met == nil || v == nil || v.step != number {
		return all
	}
	for _, n := range l.entries {
		if !n.acknowledged || n.offered >= number || n.over(v) || !m.counts(l, n.leaf.Path) || !m.e.holds(l, met, n) {
			continue
		}
		f := fate{state: term.Kept, leaf: n.leaf}
		for _, lost := range n.losses {
			if lost.version.change.Revision == v.change.Revision {
				f.state, f.after = lost.state, lost.after
			}
		}
		if f.state == term.Kept && !m.e.holds(l, v, n) {
			continue // nothing that knows it has read what was stored
		}
		all[m.e.neutralText(l, number, n.name)] = f
	}
	return all
}

func (m *emulation) tellValue(p samePair, at string, due, is fate) {
	verb := m.e.steps[p.by].step.Verb
	if !m.once(p.l.copy.Object, at, verb, due.state, is.state) {
		return
	}
	f := m.infidelity(p.l, p.by)
	f.Path = at
	f.Before, f.After = m.left(p.other, at, due), m.left(p.l, at, is)
	why := m.becomes(p.l, p.by, &f)
	m.say(&f, fmt.Sprintf("%s found %s = %s and %s; the same call in %s %s%s",
		m.e.called(p.l, f), at, schema.Text(m.e.shown(p.l, at, is.leaf.Value)), is.words(), m.e.referred(p.of), due.words(), why))
}

// left is what a write left at a path; nil for nothing.
func (m *emulation) left(l *life, at string, f fate) any {
	switch f.state {
	case term.Kept:
		return m.e.shown(l, at, f.leaf.Value)
	case term.Changed:
		return m.e.shown(l, at, f.after.Value)
	}
	return nil
}

// compareEffects holds what the two servers showed that the call did.
func (m *emulation) compareEffects(p samePair) {
	is, known := m.e.effectOn(p.l, p.by, m.counts)
	due, told := m.e.effectOn(p.other, p.of, m.counts)
	if !known || !told {
		return
	}
	for _, name := range eitherOf(is, due) {
		one, other := due[name], is[name]
		if one.meaning == other.meaning || drawn(one, other) && !m.isDefault(p, other) {
			continue
		}
		m.tellTurn(p, text(cmpPath(other.path, one.path)), one, other)
	}
}

func cmpPath(a, b fieldpath.Path) fieldpath.Path {
	if a != nil {
		return a
	}
	return b
}

func (m *emulation) isDefault(p samePair, t turn) bool {
	return m.e.isPublishedDefault(p.l, m.by, t.after) || m.e.isPublishedDefault(p.other, m.of, t.after)
}

func (m *emulation) tellTurn(p samePair, at string, due, is turn) {
	if at == "" || !m.once(p.l.copy.Object, at, m.e.steps[p.by].step.Verb, "turn", due.meaning == "", is.meaning == "") {
		return
	}
	f := m.infidelity(p.l, p.by)
	f.Path = at
	f.Before, f.After = m.came(p.other, at, due), m.came(p.l, at, is)
	if is.has && m.e.isDefault(p.l, p.by, is) || due.has && m.e.isDefault(p.other, p.of, due) {
		f.Cause = term.Defaulted
	}
	why := m.becomes(p.l, p.by, &f)
	m.say(&f, fmt.Sprintf("%s %s at %s; the same call in %s %s%s", m.e.called(p.l, f), m.turned(p.l, at, is), at, m.e.referred(p.of), m.turned(p.other, at, due), why))
}

func (m *emulation) came(l *life, at string, t turn) any {
	if !t.has {
		return nil
	}
	return m.e.shown(l, at, t.after.Value)
}

func (m *emulation) turned(l *life, at string, t turn) string {
	switch {
	case t.has:
		return "left " + schema.Text(m.e.shown(l, at, t.after.Value))
	case t.had:
		return "left nothing"
	}
	return "changed nothing"
}

// compareBirths holds what two creates of equal bodies were answered with. Where both
// show a value, one that nobody sent may be drawn anew for each object.
func (m *emulation) compareBirths(p samePair) {
	e := m.e
	is, due := m.bornWith(p.l, p.by), m.bornWith(p.other, p.of)
	if len(is) == 0 || len(due) == 0 {
		return
	}
	for _, name := range eitherOf(is, due) {
		one, other := due[name], is[name]
		one.had, other.had = true, true // what is not there was left out
		at := cmpPath(other.path, one.path)
		sent := e.wasSent(p.l, e.acts[p.by], at)
		if one.meaning == other.meaning || one.has && other.has && !sent && !m.isDefault(p, other) {
			continue
		}
		m.tellTurn(p, text(at), one, other)
	}
}

// bornWith are the values that a create was answered with, as turns from nothing.
func (m *emulation) bornWith(l *life, number int) effect {
	all := effect{}
	for name, leaf := range m.e.leavesOf(l, m.e.shownAfter(l, number)) {
		if void(leaf) || !m.counts(l, leaf.Path) {
			continue
		}
		all[m.e.neutralText(l, number, name)] = turn{path: leaf.Path, after: leaf, has: true, meaning: m.e.neutral(l, number, leaf)}
	}
	return all
}

// compareReadings holds what both ends served of each stored value of a copy.
func (m *emulation) compareReadings(l *life) {
	for i := range l.versions {
		due, is := servedAs(&l.versions[i], m.of), servedAs(&l.versions[i], m.by)
		if len(due) == 0 || len(is) == 0 {
			continue
		}
		m.facts++
		was, shows := m.e.leavesOf(l, due[0].answer), m.e.leavesOf(l, is[0].answer)
		for _, name := range union(was, shows) {
			one, other := was[name], shows[name]
			p := cmpPath(other.Path, one.Path)
			if alikeServed(one, other) || !m.counts(l, p) || m.e.varies(l, name, due) || m.e.varies(l, name, is) {
				continue
			}
			m.tellReading(l, name, reading{due[0], one}, reading{is[0], other})
		}
	}
}

// reading is a value as one sight showed it.
type reading struct {
	s    *sight
	leaf schema.Leaf
}

func (m *emulation) tellReading(l *life, at string, due, is reading) {
	if !m.once(l.copy.Object, at, "reading", due.leaf.Path == nil, is.leaf.Path == nil) {
		return
	}
	f := m.infidelity(l, is.s.step)
	f.Path, f.Verb, f.Client, f.Read, f.Encoding, f.FieldValidation = at, term.Get, "", "", "", ""
	f.Replica, f.Via, f.Release = is.s.replica, is.s.role, m.e.history.Releases[is.s.role].Version
	f.Before, f.After = m.served(l, at, due), m.served(l, at, is)
	if is.leaf.Path != nil && m.e.isPublishedDefault(l, m.by, is.leaf) {
		f.Cause = term.Defaulted
	}
	why := m.unpublished(l, &f)
	m.say(&f, fmt.Sprintf("%s %s: of one stored value %s (%s) serves %s = %s in step %d (%s), and %s (%s) serves %s in step %d%s",
		f.Kind, f.Copy, f.Replica, f.Release, at, nothingOr(f.After), f.Step, f.Stage,
		due.s.replica, m.e.history.Releases[m.of].Version, nothingOr(f.Before), due.s.step, why))
}

// unpublished are the words for a reading that differs since one end has no place for
// the value; nobody wrote it so.
func (m *emulation) unpublished(l *life, f *result.Finding) string {
	for _, role := range []term.Role{m.of, m.by} {
		if !m.e.declares(role, l, parsed(f.Path)) {
			return fmt.Sprintf(" (%s publishes no place for it)", m.e.history.Releases[role].Version)
		}
	}
	return refusedSince(f.Cause)
}

func (m *emulation) served(l *life, at string, r reading) any {
	if r.leaf.Path == nil {
		return nil
	}
	return m.e.shown(l, at, r.leaf.Value)
}

func nothingOr(v any) string {
	if v == nil {
		return "nothing there"
	}
	return schema.Text(v)
}
