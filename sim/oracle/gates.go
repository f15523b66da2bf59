package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// gateIsOff tells whether the release says that the path needs a feature gate,
// and that this gate is off.
func (e *evidence) gateIsOff(l *life, role term.Role, p fieldpath.Path) bool {
	return len(e.gatesOff(l, role, p)) > 0
}

// gatesOff are the gates that the release, or its source, says the path needs, and that
// are off there.
func (e *evidence) gatesOff(l *life, role term.Role, p fieldpath.Path) []schema.Guard {
	return slices.DeleteFunc(e.guards(l, role, p), func(g schema.Guard) bool { return !e.isOff(role, g.Gate) })
}

// valueGatesOff are the gates that one value of a path is behind, and that are off in a
// release.
func (e *evidence) valueGatesOff(l *life, role term.Role, leaf schema.Leaf) []schema.Guard {
	kind, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	guards := e.existing(kind.GuardsOfValue(leaf.Path, leaf.Value), e.mayBeLaterValue(l, role, leaf))
	return slices.DeleteFunc(guards, func(g schema.Guard) bool { return !e.isOff(role, g.Gate) })
}

// isOff tells whether a gate is off in a release. One that emulates an earlier release
// does not speak of the gates that came later, and none of them can be switched on.
func (e *evidence) isOff(role term.Role, gate string) bool {
	on, told := e.history.Releases[role].Gates[gate]
	return told && !on || !told && e.emulates(role)
}

// emulates tells whether a release's servers emulate another one, and have told their gates.
func (e *evidence) emulates(role term.Role) bool {
	i := slices.IndexFunc(e.history.Header.Plan.Releases, func(r plan.Release) bool { return r.Role == role })
	return i >= 0 && e.history.Header.Plan.Releases[i].Options.EmulatedVersion != "" && len(e.history.Releases[role].Gates) > 0
}

// clears tells whether a release that publishes the path clears it as the rule for
// disabled gates says: a gate that the path needs is off there.
func (e *evidence) clears(l *life, role term.Role, leaf schema.Leaf) bool {
	return e.gateIsOff(l, role, leaf.Path) || e.isLater(l, role, leaf.Path) || e.actsGated(l, role, leaf)
}

// isLater tells whether a path came after the release that a server emulates: the
// server's own types have it, and the other end, which is that release, does not
// publish it. Whatever lets one use it is off there.
func (e *evidence) isLater(l *life, role term.Role, p fieldpath.Path) bool {
	return role == e.emulator && e.declares(role, l, p) && !e.declares(role.Other(), l, p)
}

// actsGated tells whether a release acts as one does whose gate is off, where nothing
// that is published says of a gate: it has never taken the value from a client, though
// it publishes a place for it, and keeps it in an object that has it; the other release
// has taken it; and some gate is off here, and on there. Of a field that the other
// release does not have, no object can show that: there a gate must be off that is new
// with the field, and called like it. Who publishes lifecycles says of each field
// whether it needs a gate.
func (e *evidence) actsGated(l *life, role term.Role, leaf schema.Leaf) bool {
	if !e.mayBeGated(l, role, leaf) {
		return false
	}
	other, is := role.Other(), e.dealings(l, leaf)
	if !e.declares(other, l, leaf.Path) {
		return e.namesake(l, role, leaf.Path) != ""
	}
	return e.gatesDiffer(role) && is.taken[other] && is.kept[role]
}

// mayBeGated tells whether a gate that nothing names may be why a release has taken a
// value from no client.
func (e *evidence) mayBeGated(l *life, role term.Role, leaf schema.Leaf) bool {
	kind, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	published := kind.TellsLifecycles() || len(e.guards(l, role, leaf.Path)) > 0
	return !published && kind.Declares(leaf.Path) && !e.dealings(l, leaf).taken[role]
}

// gateGuess names a gate that may be why a new field was dropped, where that is not sure.
func (e *evidence) gateGuess(l *life, role term.Role, leaf schema.Leaf) string {
	if e.declares(role.Other(), l, leaf.Path) || !e.mayBeGated(l, role, leaf) {
		return ""
	}
	if gate := e.perhaps(l, role, leaf.Path); gate != "" {
		return fmt.Sprintf(" (the gate %s may be why: it is new with the field, off in %s, and called a little like it, which may be chance)", gate, e.history.Releases[role].Version)
	}
	return ""
}

// gatesDiffer tells whether a gate is off in a release and on in the other one.
func (e *evidence) gatesDiffer(off term.Role) bool {
	for gate, on := range e.history.Releases[off.Other()].Gates {
		if on && e.isOff(off, gate) {
			return true
		}
	}
	return false
}

// dealings are what releases were seen to do about a place of a kind: they took a
// value from a client, or kept the one that an object had, when they wrote it or were
// tried.
type dealings struct{ taken, kept map[term.Role]bool }

// dealings are those about a value's place. All places are looked at once.
func (e *evidence) dealings(l *life, leaf schema.Leaf) dealings {
	at := spotOf(l, &entry{name: path.String(leaf.Path)}, "")
	if e.dealt == nil {
		e.dealt = map[spot]dealings{}
	}
	is, known := e.dealt[at]
	if known {
		return is
	}
	is = dealings{map[term.Role]bool{}, map[term.Role]bool{}}
	for _, other := range e.byCopy {
		for _, n := range other.entries {
			if n.acknowledged && spotOf(other, n, "") == at {
				is.taken[e.acts[n.offered].Role] = true
				e.noteKept(other, n, is.kept)
			}
		}
	}
	e.dealt[at] = is
	return is
}

// noteKept notes the releases that have shown a value after they wrote the object that
// has it, or were tried to.
func (e *evidence) noteKept(l *life, n *entry, kept map[term.Role]bool) {
	for i := range l.versions {
		v := &l.versions[i]
		if act, known := e.acts[v.step]; known && v.change.Revision > n.revision && !v.change.Deleted && !n.over(v) && e.holds(l, v, n) {
			kept[act.Role] = true
		}
	}
	for _, op := range e.calls.tries {
		v := e.storedBy(l, op.Step)
		if op.Copy != l.copy.Name || !op.Exchange.Succeeded() || v == nil || v.change.Revision < n.revision || n.over(v) || !e.holds(l, v, n) {
			continue
		}
		if leaf, shown := n.in(e.leavesOf(l, op.Exchange.Answer)); shown && leaf.Semantic == n.leaf.Semantic {
			kept[op.Role] = true
		}
	}
}

func (e *evidence) holds(l *life, v *version, n *entry) bool {
	state, _ := e.look(l, v, n)
	return state == present
}

// gateWords say how it is known that a gate is off.
func (e *evidence) gateWords(l *life, role term.Role, leaf schema.Leaf) string {
	here, there := e.history.Releases[role].Version, e.history.Releases[role.Other()].Version
	if off := e.gatesOff(l, role, leaf.Path); len(off) > 0 {
		return offWords(off, here)
	}
	if e.isLater(l, role, leaf.Path) {
		return fmt.Sprintf("it came after what %s emulates: %s has no such field", here, there)
	}
	if !e.declares(role.Other(), l, leaf.Path) {
		return fmt.Sprintf("nothing names the gate: %s takes the value from no client, and %s, which is new with the field and called like it, is off there",
			here, e.namesake(l, role, leaf.Path))
	}
	return fmt.Sprintf("nothing names the gate: %s keeps the value in an object that has it, %s takes it, and has gates on that are off in %s", here, there, here)
}

// offWords say that gates are off in a release, and who says that the field is behind
// them.
func offWords(off []schema.Guard, release string) string {
	var names, sources []string
	for _, g := range off {
		names = append(names, g.Gate)
		if source := term.GateSources().Meaning(g.Source); !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s %s off in %s: named by %s", strings.Join(names, ", "), verb, release, strings.Join(sources, " and "))
}

// gatesOf are gates as a finding has them, each once.
func gatesOf(guards []schema.Guard) (all []result.Gate) {
	for _, g := range guards {
		if gate := (result.Gate{Name: g.Gate, Source: g.Source}); !slices.Contains(all, gate) {
			all = append(all, gate)
		}
	}
	return all
}

// nameGates adds to findings of which a gate that is off is the cause which gates these
// are, and who says so.
func (e *evidence) nameGates(all []result.Finding) {
	for i := range all {
		f := &all[i]
		l, p := e.calls.lives[f.Copy], parsed(f.Path)
		if f.Cause != term.GateDisabled && f.Cause != term.UnionEmptied || l == nil || len(p) == 0 {
			continue
		}
		leaf := schema.Leaf{Path: p}
		f.Gates = gatesOf(e.gatesOff(l, f.Via, p))
		if len(f.Gates) > 0 || !e.actsGated(l, f.Via, leaf) || e.declares(f.Via.Other(), l, p) {
			continue
		}
		f.Gates = []result.Gate{{Name: e.namesake(l, f.Via, p), Source: term.FromName}}
	}
}

// clearedWith tells whether a value that was sent in the same step was cleared since
// its gate is off.
func (e *evidence) clearedWith(l *life, step int) bool {
	return slices.ContainsFunc(l.entries, func(n *entry) bool {
		return n.offered == step && !n.acknowledged && e.clears(l, e.acts[step].Role, n.leaf)
	})
}

// leftWithout are the values of a body that a release keeps: neither has it no place
// for them, nor is their gate off.
func (e *evidence) leftWithout(l *life, role term.Role, leaves schema.Leaves) schema.Leaves {
	kept := maps.Clone(leaves)
	maps.DeleteFunc(kept, func(_ string, leaf schema.Leaf) bool {
		return !e.declares(role, l, leaf.Path) || e.clears(l, role, leaf)
	})
	return kept
}
