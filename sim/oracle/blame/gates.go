package blame

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// GateIsOff reports whether the path needs a feature gate, according to the release, and the gate
// is off.
func GateIsOff(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) bool {
	return len(GatesOff(ev, tl, role, p)) > 0
}

// GatesOff returns the gates that the path needs, according to the release or its source, and
// that are off there.
func GatesOff(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) []schema.Guard {
	return slices.DeleteFunc(guards(ev, tl, role, p), func(g schema.Guard) bool { return !GateIsDisabled(ev, role, g.Gate) })
}

// ValueGatesOff returns the gates that guard one value of a path and that are off in a release.
func ValueGatesOff(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) []schema.Guard {
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	guards := KnownGuards(ev, kind.Gating().GuardsOfValue(leaf.Path, leaf.Value), func() bool { return MayBeLaterValue(ev, tl, role, leaf) })
	return slices.DeleteFunc(guards, func(g schema.Guard) bool { return !GateIsDisabled(ev, role, g.Gate) })
}

// GateIsDisabled reports whether a gate is off in a release. A release that emulates an earlier
// one does not report the gates that came later, and none of them can be switched on.
func GateIsDisabled(ev *trace.Evidence, role term.Role, gate string) bool {
	on, told := ev.History.Releases[role].Gates[gate]
	return told && !on || !told && emulates(ev, role)
}

// emulates reports whether a release's servers emulate another release, and reported their gates.
func emulates(ev *trace.Evidence, role term.Role) bool {
	i := slices.IndexFunc(ev.History.Header.Plan.Releases, func(r plan.Release) bool { return r.Role == role })
	return i >= 0 && ev.History.Header.Plan.Releases[i].Options.EmulatedVersion != "" && len(ev.History.Releases[role].Gates) > 0
}

// Clears reports whether a release that publishes the path must clear it under the rule for
// disabled gates: a gate that the path, or the value there, needs is off there.
func Clears(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	return GateIsOff(ev, tl, role, leaf.Path) || len(ValueGatesOff(ev, tl, role, leaf)) > 0 ||
		isLater(ev, tl, role, leaf.Path) || actsGated(ev, tl, role, leaf) || valueGate(ev, tl, role, leaf) != ""
}

// isLater reports whether a path came after the release that a server emulates: the server's own
// types have it, and the other release, which is the emulated one, does not publish it. Its gate
// is off there.
func isLater(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) bool {
	return role == ev.Emulator && ev.Declares(role, tl, p) && !ev.Declares(role.Other(), tl, p)
}

// actsGated reports whether a release behaves as if a gate were off, where nothing published
// names a gate: it publishes the field and keeps the value in an object that has it, but has
// never taken it from a client; the other release has taken it; and some gate is off here and on
// there. No object can show that for a field that the other release does not have: there, a gate
// must be off that is new with the field and named like it. A release that publishes lifecycles
// says of each field whether it needs a gate.
func actsGated(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	if !mayBeGated(ev, tl, role, leaf) {
		return false
	}
	other, is := role.Other(), dealings(ev, tl, leaf)
	if !ev.Declares(other, tl, leaf.Path) {
		return namesake(ev, tl, role, leaf.Path) != ""
	}
	return GatesDiffer(ev, role) && is.Taken[other] && is.Kept[role]
}

// mayBeGated reports whether an unnamed gate may be why a release has taken a value from no
// client.
func mayBeGated(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	published := kind.Gating().PublishesLifecycles() || len(guards(ev, tl, role, leaf.Path)) > 0
	return !published && !ev.IsCustom(tl, role) && kind.Declares(leaf.Path) && !dealings(ev, tl, leaf).Taken[role]
}

// GateGuess names a gate that may be why a new field was dropped, if the match is uncertain.
func GateGuess(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) string {
	if ev.Declares(role.Other(), tl, leaf.Path) || !mayBeGated(ev, tl, role, leaf) {
		return ""
	}
	if gate := possibleGate(ev, tl, role, leaf.Path); gate != "" {
		return fmt.Sprintf(" (the gate %s may be why: it is new with the field, off in %s, and called a little like it, which may be chance)", gate, ev.History.Releases[role].Version)
	}
	return ""
}

// GatesDiffer reports whether a gate is off in a release and on in the other one.
func GatesDiffer(ev *trace.Evidence, off term.Role) bool {
	for gate, on := range ev.History.Releases[off.Other()].Gates {
		if on && GateIsDisabled(ev, off, gate) {
			return true
		}
	}
	return false
}

// placeOf returns the place of a value, whatever release answers.
func placeOf(tl *trace.Timeline, leaf schema.Leaf) trace.Place {
	return trace.SpotOf(tl, &trace.AckedValue{Name: path.String(leaf.Path)}, "")
}

// dealings returns what releases did about the values at a value's place.
func dealings(ev *trace.Evidence, tl *trace.Timeline, leaf schema.Leaf) trace.Dealings {
	return dealingsWith(ev, placeOf(tl, leaf), "")
}

// dealingsWith returns what releases did about one value at a place, or about any if semantic is "".
func dealingsWith(ev *trace.Evidence, at trace.Place, semantic string) trace.Dealings {
	key := trace.DealtValue{Place: at, Semantic: semantic}
	is, known := ev.Dealt[key]
	if known {
		return is
	}
	is = trace.Dealings{Taken: map[term.Role]bool{}, Kept: map[term.Role]bool{}}
	for _, held := range trace.AcknowledgedAt(ev, at) {
		if semantic != "" && held.Value.Leaf.Semantic != semantic {
			continue
		}
		is.Taken[ev.Acts[held.Value.Offered].Role] = true
		noteKept(ev, held.Timeline, held.Value, is.Kept)
	}
	ev.Dealt[key] = is
	return is
}

// noteKept records the releases that have shown a value after a write, or in a dry run, of the
// object that has it.
func noteKept(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, kept map[term.Role]bool) {
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if act, known := ev.Acts[v.Step]; known && v.Change.Revision > acked.Revision && !v.Change.Deleted && !acked.IsWithdrawnAt(v) && ShowsValue(ev, tl, v, acked) {
			kept[act.Role] = true
		}
	}
	for _, op := range ev.Calls.TriesOn[tl.Copy.Name] {
		v := ev.StoredBy(tl, op.Step)
		if !op.Exchange.Succeeded() || v == nil || v.Change.Revision < acked.Revision || acked.IsWithdrawnAt(v) || !ShowsValue(ev, tl, v, acked) {
			continue
		}
		if leaf, shown := acked.FoundIn(ev.LeavesOf(tl, op.Exchange.Answer)); shown && leaf.Semantic == acked.Leaf.Semantic {
			kept[op.Role] = true
		}
	}
}

// ShowsValue reports whether a stored version shows an acknowledged value.
func ShowsValue(ev *trace.Evidence, tl *trace.Timeline, v *trace.StoredVersion, acked *trace.AckedValue) bool {
	state, _ := ev.PresenceOf(tl, v, acked)
	return state == trace.Present
}

// GateText says how it is known that a gate is off.
func GateText(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) string {
	here, there := ev.History.Releases[role].Version, ev.History.Releases[role.Other()].Version
	if off := slices.Concat(GatesOff(ev, tl, role, leaf.Path), ValueGatesOff(ev, tl, role, leaf)); len(off) > 0 {
		return GatesOffText(off, here)
	}
	if isLater(ev, tl, role, leaf.Path) {
		return fmt.Sprintf("it came after what %s emulates: %s has no such field", here, there)
	}
	if gate := valueGate(ev, tl, role, leaf); gate != "" {
		return fmt.Sprintf("nothing names a gate of this value: %s takes the value from no client, and %s, which is off there, is called like the field or guards the field beside it", here, gate)
	}
	if !ev.Declares(role.Other(), tl, leaf.Path) {
		return fmt.Sprintf("nothing names the gate: %s takes the value from no client, and %s, which is new with the field and called like it, is off there",
			here, namesake(ev, tl, role, leaf.Path))
	}
	return fmt.Sprintf("nothing names the gate: %s keeps the value in an object that has it, %s takes it, and has gates on that are off in %s", here, there, here)
}

// GatesOffText says which gates are off in a release, and which source names them for the field.
func GatesOffText(off []schema.Guard, release string) string {
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

// GatesOf returns gates as a finding lists them, without repetition.
func GatesOf(guards []schema.Guard) (all []result.Gate) {
	for _, g := range guards {
		if gate := (result.Gate{Name: g.Gate, Source: g.Source}); !slices.Contains(all, gate) {
			all = append(all, gate)
		}
	}
	return all
}

// AddGates adds the gates and their sources to findings caused by a disabled gate.
func AddGates(ev *trace.Evidence, all []result.Finding) {
	for i := range all {
		f := &all[i]
		tl, p := ev.ByCopy[f.Copy], trace.ParsePath(f.Path)
		if f.Cause != term.GateDisabled && f.Cause != term.UnionEmptied || tl == nil || len(p) == 0 {
			continue
		}
		f.Gates = GatesOf(ClearingGates(ev, tl, f.Via, sentAt(tl, f.Step, p)))
	}
}

// sentAt returns the value that a step sent at a path.
func sentAt(tl *trace.Timeline, step int, p fieldpath.Path) schema.Leaf {
	for _, acked := range tl.AckedValues {
		if acked.Offered == step && acked.Leaf.Path.Equals(p) {
			return acked.Leaf
		}
	}
	return schema.Leaf{Path: p}
}

// ClearedWith reports whether a value that was sent in the same step was cleared because its gate
// is off.
func ClearedWith(ev *trace.Evidence, tl *trace.Timeline, step int) bool {
	return slices.ContainsFunc(tl.AckedValues, func(acked *trace.AckedValue) bool {
		return acked.Offered == step && !acked.Acknowledged && Clears(ev, tl, ev.Acts[step].Role, acked.Leaf)
	})
}
