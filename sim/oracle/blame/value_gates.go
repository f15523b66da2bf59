package blame

import (
	"cmp"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// A value can need a gate that its field does not need: a field that is generally available gets a
// new word, and a server whose gate for the word is off clears the field on create. The field's own
// gates are on then, and explain nothing.

// valueGate returns the gate that is off in a release and that one value of a field needs, as far as
// the dealings of the releases show it, where no source names it; "" if they do not. The release
// publishes the field and has taken the value, a text, from no client. Either the release keeps the
// value in an object that has it and the other release, where the gate is on, takes it; or the gate is new
// with a field beside, and no release takes the value.
func valueGate(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) string {
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	other := role.Other()
	if _, isText := leaf.Value.(string); !isText || ev.IsCustom(tl, role) || kind.Gating().PublishesLifecycles() || !kind.Declares(leaf.Path) || !ev.Declares(other, tl, leaf.Path) {
		return ""
	}
	is := dealingsWithValue(ev, tl, leaf)
	if is.Taken[role] {
		return ""
	}
	beside := gatesBeside(ev, tl, role, leaf.Path)
	if is.Taken[other] && is.Kept[role] {
		differs := func(gate string) bool {
			return ev.History.Releases[other].Gates[gate] && GateIsDisabled(ev, role, gate)
		}
		if i := slices.IndexFunc(beside, differs); i >= 0 {
			return beside[i]
		}
		gate, sure := closestOf(ev, role, leaf.Path, func(gate string) bool { return differs(gate) && !guardsField(ev, tl, gate) })
		if sure {
			return gate
		}
		return ""
	}
	isNew := func(gate string) bool { return isUnknown(ev, other, gate) && GateIsDisabled(ev, role, gate) }
	if i := slices.IndexFunc(beside, isNew); i >= 0 && !is.Taken[other] {
		return beside[i]
	}
	return ""
}

// isUnknown reports whether a release reports its gates, and not this one.
func isUnknown(ev *trace.Evidence, role term.Role, gate string) bool {
	_, known := ev.History.Releases[role].Gates[gate]
	return !known && len(ev.History.Releases[role].Gates) > 0
}

// guardsField reports whether either release names the gate for a field of the kind: then it is that
// field's.
func guardsField(ev *trace.Evidence, tl *trace.Timeline, gate string) bool {
	for _, role := range []term.Role{term.Old, term.New} {
		kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
		if slices.Contains(kind.Needs(), gate) {
			return true
		}
	}
	return false
}

// gatesBeside returns the gates of fields in the same struct whose names extend the name of a field, as
// restartPolicyRules extends restartPolicy, in either release: one feature often has a new field
// and new words for an old one.
func gatesBeside(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) (gates []string) {
	_, own := fieldWords(p)
	for _, of := range []term.Role{role, role.Other()} {
		kind, _ := ev.Schemas[of].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
		beside := kind.Gating().GuardsBeside(p)
		for _, name := range slices.Sorted(maps.Keys(beside)) {
			words := wordsOf(name)
			if len(own) == 0 || len(words) <= len(own) || !slices.Equal(words[:len(own)], own) {
				continue
			}
			for _, g := range beside[name] {
				gates = append(gates, g.Gate)
			}
		}
	}
	return gates
}

// dealingsWithValue returns what releases did about one value at its place.
func dealingsWithValue(ev *trace.Evidence, tl *trace.Timeline, leaf schema.Leaf) trace.Dealings {
	return dealingsWith(ev, placeOf(tl, leaf), leaf.Semantic)
}

// ClearingGates returns the gates for which a release clears a value, as far as their names are known:
// those of the field and of the value, or else the one that the releases' dealings show.
func ClearingGates(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) []schema.Guard {
	off := slices.Concat(GatesOff(ev, tl, role, leaf.Path), ValueGatesOff(ev, tl, role, leaf))
	if len(off) > 0 || isLater(ev, tl, role, leaf.Path) {
		return off
	}
	name := ""
	if actsGated(ev, tl, role, leaf) && !ev.Declares(role.Other(), tl, leaf.Path) {
		name = namesake(ev, tl, role, leaf.Path)
	}
	if name = cmp.Or(name, valueGate(ev, tl, role, leaf)); name == "" {
		return nil
	}
	return []schema.Guard{{Gate: name, Source: term.FromName}}
}
