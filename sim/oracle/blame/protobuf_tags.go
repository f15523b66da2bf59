package blame

import (
	"maps"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// Protobuf identifies a field by its number alone, and no release publishes the numbers. What a
// release wrote shows them: the number that holds, in the stored bytes, the value that the
// release answered with.

// manyVersions is from how many stored versions the numbers of a field are derived. One is not
// enough, since small values occur everywhere.
const manyVersions = 12

// renumbered reports whether a release writes a field under other numbers than those that hold
// the value in a version written by another release.
func renumbered(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, role term.Role) bool {
	writer := ev.Acts[v.Step].Role
	if v.Step == 0 || writer == role {
		return false
	}
	mine, theirs := numbersOf(ev, tl, acked, role), numbersOf(ev, tl, acked, writer)
	for at := range theirs {
		if mine[at] {
			return false
		}
	}
	return len(mine) > 0 && len(theirs) > 0
}

// numbersOf returns the numbers, from the top of the object down, that hold, in every version
// that the release wrote, what its answer showed at the path.
func numbersOf(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, role term.Role) map[string]bool {
	var common map[string]bool
	read := 0
	for _, other := range ev.Timelines {
		if other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Manifest.Kind != tl.Manifest.Kind {
			continue
		}
		for i := range other.Versions {
			v := &other.Versions[i]
			if read == manyVersions || v.Step == 0 || ev.Acts[v.Step].Role != role || storage.Encoding(v.Change.Encoding) != storage.Protobuf {
				continue
			}
			if at := numbersIn(ev, other, acked, v); len(at) > 0 {
				read++
				common = intersect(common, at)
			}
		}
	}
	return common
}

// intersect returns the members of both sets, or the second set if the first is nil.
func intersect(a, b map[string]bool) map[string]bool {
	if a == nil {
		return b
	}
	maps.DeleteFunc(a, func(name string, _ bool) bool { return !b[name] })
	return a
}

// numbersIn returns the numbers under which a version holds the value that the answer to its own
// write showed at the path.
func numbersIn(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion) map[string]bool {
	answer := ev.Acts[v.Step].Exchange.Answer
	if !ev.History.HasObject(answer) {
		return nil
	}
	leaf, shown := acked.FoundIn(ev.LeavesOf(tl, answer))
	if !shown {
		return nil
	}
	found := map[string]bool{}
	holding := func(at string, f storage.Field) {
		if means(f, leaf.Value) {
			found[at] = true
		}
	}
	trace.EachField("", storage.Read(trace.BytesOf(ev.History.Body(v.Change.Value))).Fields, holding)
	return found
}

// means reports whether a field may encode a value: integers, booleans and strings are encoded
// alike in every field.
func means(f storage.Field, v any) bool {
	switch v := v.(type) {
	case int64:
		return f.Form == storage.Number && f.Wire == storage.Varint && int64(f.Number) == v
	case bool:
		return f.Form == storage.Number && f.Wire == storage.Varint && (f.Number == 1) == v && f.Number < 2
	case string:
		return f.Wire == storage.Length && string(f.Bytes) == v
	}
	return false
}

// displaced reports whether one release serves, from the same bytes, at the value's path what the
// other serves at another path: each took one number for a field of its own.
func displaced(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation) bool {
	mine := ev.LeavesOf(tl, obs.Answer)
	leaf, shown := acked.FoundIn(mine)
	taken := shown && !ev.IsPublishedDefault(tl, obs.Role, leaf)
	for _, role := range trace.NewestFirst() {
		for _, other := range v.Views[role] {
			if reader(other) == reader(obs) {
				continue
			}
			theirs := ev.LeavesOf(tl, other.Answer)
			if elsewhere(acked, theirs, mine) || taken && elsewhere(acked, mine, theirs) {
				return true
			}
		}
	}
	return false
}

// elsewhere reports whether one answer shows at the acknowledged value's path what the other
// shows only beside it.
func elsewhere(acked *trace.AckedValue, here, there schema.Leaves) bool {
	of, shown := acked.FoundIn(here)
	if !shown || there[acked.Name].Semantic == of.Semantic {
		return false
	}
	up := acked.Leaf.Path[:len(acked.Leaf.Path)-1]
	for name, leaf := range there {
		if leaf.Semantic == of.Semantic && here[name].Semantic != of.Semantic && path.Contains(up, leaf.Path) {
			return true
		}
	}
	return false
}
