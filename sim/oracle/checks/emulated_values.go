package checks

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// emulatedValues compares the values in what servers answer.
type emulatedValues struct{ *emulation }

// counts reports whether emulation promises a path: one of the releases publishes it, and it is
// not server-owned.
func (m *emulatedValues) counts(tl *trace.Timeline, p fieldpath.Path) bool {
	return (m.ev.Declares(m.by, tl, p) || m.ev.Declares(m.of, tl, p)) &&
		!slices.ContainsFunc(trace.ServerOwned(), func(own fieldpath.Path) bool { return path.Contains(own, p) })
}

// compareLosses compares what happened to acknowledged values: one release keeps in the store
// what the other loses.
func (m *emulatedValues) compareLosses(p samePair) {
	by, of := m.writeResults(p.l, p.by), m.writeResults(p.other, p.of)
	for _, name := range slices.Sorted(maps.Keys(by)) {
		due, met := of[name]
		if is := by[name]; met && due.state != is.state {
			m.tellValue(p, trace.PathText(is.leaf.Path), due, is)
		}
	}
}

// writeResult is what a write did to an existing value: in words, and as a state.
type writeResult struct {
	state term.Outcome
	leaf  schema.Leaf // the value as it was acknowledged
	after schema.Leaf // the value that replaced it, if any
}

func (f writeResult) words() string {
	switch f.state {
	case term.Lost:
		return "lost it"
	case term.Changed:
		return "changed it to " + schema.Text(f.after.Value)
	}
	return "kept it"
}

// writeResults returns what a write did to the acknowledged values that it met, by path. It is empty if
// the call stored nothing, or if the object before the call is not known.
func (m *emulatedValues) writeResults(tl *trace.Timeline, number int) map[string]writeResult {
	met, all := trace.OverwrittenVersion(m.ev, tl, number), map[string]writeResult{}
	v := tl.Version(m.ev.Acts[number].Exchange.Revision)
	if met == nil || v == nil || v.Step != number {
		return all
	}
	for _, acked := range tl.AckedValues {
		if !acked.Acknowledged || acked.Offered >= number || acked.IsWithdrawnAt(v) || !m.counts(tl, acked.Leaf.Path) || !blame.ShowsValue(m.ev, tl, met, acked) {
			continue
		}
		f := writeResult{state: term.Kept, leaf: acked.Leaf}
		for _, lost := range acked.Losses {
			if lost.Version.Change.Revision == v.Change.Revision {
				f.state, f.after = lost.Outcome, lost.After
			}
		}
		if f.state == term.Kept && !blame.ShowsValue(m.ev, tl, v, acked) {
			continue // no release that knows the field has read the stored version
		}
		all[trace.NeutralText(m.ev, tl, number, acked.Name)] = f
	}
	return all
}

func (m *emulatedValues) tellValue(p samePair, at string, due, is writeResult) {
	verb := m.ev.Steps[p.by].Step.Verb
	if !m.told.First(p.l.Copy.Object, at, verb, due.state, is.state) {
		return
	}
	f := m.infidelity(p.l, p.by)
	f.Path = at
	f.Before, f.After = m.left(p.other, at, due), m.left(p.l, at, is)
	why := m.becomes(p.l, p.by, &f)
	m.report(&f, fmt.Sprintf("%s found %s = %s and %s; the same call in %s %s%s",
		blame.CallText(m.ev, p.l, f), at, schema.Text(blame.Redacted(m.ev, p.l, at, is.leaf.Value)), is.words(), blame.ReferenceText(m.ev, p.of), due.words(), why))
}

// left returns what a write left at a path, nil for nothing.
func (m *emulatedValues) left(tl *trace.Timeline, at string, f writeResult) any {
	switch f.state {
	case term.Kept:
		return blame.Redacted(m.ev, tl, at, f.leaf.Value)
	case term.Changed:
		return blame.Redacted(m.ev, tl, at, f.after.Value)
	}
	return nil
}

// compareEffects compares the effects of the call as the two servers showed them.
func (m *emulatedValues) compareEffects(p samePair) {
	is, known := trace.EffectOn(m.ev, p.l, p.by, m.counts)
	due, told := trace.EffectOn(m.ev, p.other, p.of, m.counts)
	if !known || !told {
		return
	}
	for _, name := range trace.NamesOf(is, due) {
		one, other := due[name], is[name]
		if one.Meaning == other.Meaning || trace.IsDrawn(one, other) && !m.isDefault(p, other) {
			continue
		}
		m.tellTurn(p, trace.PathText(cmpPath(other.Path, one.Path)), one, other)
	}
}

func cmpPath(a, b fieldpath.Path) fieldpath.Path {
	if a != nil {
		return a
	}
	return b
}

func (m *emulatedValues) isDefault(p samePair, t trace.Turn) bool {
	return m.ev.IsPublishedDefault(p.l, m.by, t.After) || m.ev.IsPublishedDefault(p.other, m.of, t.After)
}

func (m *emulatedValues) tellTurn(p samePair, at string, due, is trace.Turn) {
	if at == "" || !m.told.First(p.l.Copy.Object, at, m.ev.Steps[p.by].Step.Verb, "turn", due.Meaning == "", is.Meaning == "") {
		return
	}
	f := m.infidelity(p.l, p.by)
	f.Path = at
	f.Before, f.After = m.came(p.other, at, due), m.came(p.l, at, is)
	if is.Has && trace.IsDefault(m.ev, p.l, p.by, is) || due.Has && trace.IsDefault(m.ev, p.other, p.of, due) {
		f.Cause = term.Defaulted
	}
	why := m.becomes(p.l, p.by, &f)
	m.report(&f, fmt.Sprintf("%s %s at %s; the same call in %s %s%s", blame.CallText(m.ev, p.l, f), m.turned(p.l, at, is), at, blame.ReferenceText(m.ev, p.of), m.turned(p.other, at, due), why))
}

func (m *emulatedValues) came(tl *trace.Timeline, at string, t trace.Turn) any {
	if !t.Has {
		return nil
	}
	return blame.Redacted(m.ev, tl, at, t.After.Value)
}

func (m *emulatedValues) turned(tl *trace.Timeline, at string, t trace.Turn) string {
	switch {
	case t.Has:
		return "left " + schema.Text(blame.Redacted(m.ev, tl, at, t.After.Value))
	case t.Had:
		return "left nothing"
	}
	return "changed nothing"
}

// compareCreates compares the answers to two creates of equal bodies. If both show a value that no
// client sent, servers may generate it for each object.
func (m *emulatedValues) compareCreates(p samePair) {
	ev := m.ev
	is, due := m.createdValues(p.l, p.by), m.createdValues(p.other, p.of)
	if len(is) == 0 || len(due) == 0 {
		return
	}
	for _, name := range trace.NamesOf(is, due) {
		one, other := due[name], is[name]
		one.Had, other.Had = true, true // an absent value was left out
		at := cmpPath(other.Path, one.Path)
		sent := trace.WasSent(ev, p.l, ev.Acts[p.by], at)
		if one.Meaning == other.Meaning || one.Has && other.Has && !sent && !m.isDefault(p, other) {
			continue
		}
		m.tellTurn(p, trace.PathText(at), one, other)
	}
}

// createdValues returns the values in the answer to a create, as turns from nothing.
func (m *emulatedValues) createdValues(tl *trace.Timeline, number int) trace.Effect {
	all := trace.Effect{}
	for name, leaf := range m.ev.LeavesOf(tl, trace.ShownAfter(m.ev, tl, number)) {
		if trace.IsVoid(leaf) || !m.counts(tl, leaf.Path) {
			continue
		}
		all[trace.NeutralText(m.ev, tl, number, name)] = trace.Turn{Path: leaf.Path, After: leaf, Has: true, Meaning: trace.Neutral(m.ev, tl, number, leaf)}
	}
	return all
}

// compareReadings compares what both releases served of each stored version of a copy.
func (m *emulatedValues) compareReadings(tl *trace.Timeline) {
	for i := range tl.Versions {
		due, is := trace.ServedAs(&tl.Versions[i], m.of), trace.ServedAs(&tl.Versions[i], m.by)
		if len(due) == 0 || len(is) == 0 {
			continue
		}
		m.Facts++
		was, shows := m.ev.LeavesOf(tl, due[0].Answer), m.ev.LeavesOf(tl, is[0].Answer)
		for _, name := range trace.Union(was, shows) {
			one, other := was[name], shows[name]
			p := cmpPath(other.Path, one.Path)
			if trace.IsServedAlike(one, other) || !m.counts(tl, p) || varies(m.ev, tl, name, due) || varies(m.ev, tl, name, is) {
				continue
			}
			m.tellReading(tl, name, reading{due[0], one}, reading{is[0], other})
		}
	}
}

// reading is a value as one observation showed it.
type reading struct {
	s    *trace.Observation
	leaf schema.Leaf
}

func (m *emulatedValues) tellReading(tl *trace.Timeline, at string, due, is reading) {
	if !m.told.First(tl.Copy.Object, at, "reading", due.leaf.Path == nil, is.leaf.Path == nil) {
		return
	}
	f := m.infidelity(tl, is.s.Step)
	f.Path, f.Verb, f.Client, f.Read, f.Encoding, f.FieldValidation = at, term.Get, "", "", "", ""
	f.Replica, f.Via, f.Release = is.s.Replica, is.s.Role, m.ev.History.Releases[is.s.Role].Version
	f.Before, f.After = m.served(tl, at, due), m.served(tl, at, is)
	if is.leaf.Path != nil && m.ev.IsPublishedDefault(tl, m.by, is.leaf) {
		f.Cause = term.Defaulted
	}
	why := m.unpublishedText(tl, &f)
	m.report(&f, fmt.Sprintf("%s %s: of one stored value %s (%s) serves %s = %s in step %d (%s), and %s (%s) serves %s in step %d%s",
		f.Kind, f.Copy, f.Replica, f.Release, at, nothingOr(f.After), f.Step, f.Stage,
		due.s.Replica, m.ev.History.Releases[m.of].Version, nothingOr(f.Before), due.s.Step, why))
}

// unpublishedText explains a reading that differs because one release does not publish the field. The
// finding then names no writer.
func (m *emulatedValues) unpublishedText(tl *trace.Timeline, f *result.Finding) string {
	for _, role := range []term.Role{m.of, m.by} {
		if !m.ev.Declares(role, tl, trace.ParsePath(f.Path)) {
			return fmt.Sprintf(" (%s does not publish the field)", m.ev.History.Releases[role].Version)
		}
	}
	return blame.RefusedSince(f.Cause)
}

func (m *emulatedValues) served(tl *trace.Timeline, at string, r reading) any {
	if r.leaf.Path == nil {
		return nil
	}
	return blame.Redacted(m.ev, tl, at, r.leaf.Value)
}

func nothingOr(v any) string {
	if v == nil {
		return "nothing there"
	}
	return schema.Text(v)
}
