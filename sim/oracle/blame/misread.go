package blame

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/storage"
)

// Misreading is why a release that publishes a field does not serve the value
// which a stored version holds, as the other release shows. Where it serves it at
// times, nothing tells. Of protobuf the fields' numbers may tell that the release
// reads another field there; of text, what stands under the field's own name,
// that the release itself made it into something else.
func Misreading(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation) term.Cause {
	if servesAtTimes(ev, tl, acked, v, obs) {
		return term.Unattributed
	}
	leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
	encoding := storage.Encoding(v.Change.Encoding)
	switch {
	case encoding == storage.Protobuf && (displaced(ev, tl, acked, v, obs) || renumbered(ev, tl, acked, v, reader(obs))):
		return term.BadEncoding
	case !shown || encoding != storage.Protobuf && !storedUnder(ev, tl, acked, v):
		return term.Unattributed
	case ev.IsPublishedDefault(tl, obs.Role, leaf):
		return term.Defaulted
	}
	return term.Converted
}

// servesAtTimes reports whether another answer of the release, to whom it shows the
// same, showed the value of the version.
func servesAtTimes(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation) bool {
	return slices.ContainsFunc(v.Views[obs.Role], func(o *trace.Observation) bool {
		leaf, shown := acked.FoundIn(ev.LeavesOf(tl, o.Answer))
		return o.Types == obs.Types && shown && leaf.Semantic == acked.Leaf.Semantic
	})
}

// reader is the release whose types made what the observation shows of protobuf: the
// server's own or, where the body was sent as such, its client's.
func reader(obs *trace.Observation) term.Role {
	if role, typed := obs.Types.Role(); typed {
		return role
	}
	return obs.Role
}

// storedUnder reports whether the stored text itself holds the value at its path,
// in the copy's own version.
func storedUnder(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion) bool {
	if c := v.Change; c.APIVersion != tl.Manifest.APIVersion || c.Kind != tl.Manifest.Kind {
		return false
	}
	leaf, holds := acked.FoundIn(trace.LeavesIn(tl.Kind, storage.Read(evidence.BytesOf(ev.History.Body(v.Change.Value))).Object))
	return holds && leaf.Semantic == acked.Leaf.Semantic
}

// misread is why the server, or the one that the client had read through, served
// something else of the version that the write met than what that holds: it then
// was written back so.
func (w Write) misread() term.Cause {
	if w.v == nil {
		return term.Unattributed
	}
	before := w.L.Previous(w.v)
	if before == nil {
		return term.Unattributed
	}
	read := w.Ev.Reads[w.Act.Step]
	for _, role := range []term.Role{read.Role, w.Act.Role} {
		if obs := evidence.Withholder(w.Ev, w.L, w.N, before, role); obs != nil && w.Ev.Declares(role, w.L, w.N.Leaf.Path) {
			return Misreading(w.Ev, w.L, w.N, before, obs)
		}
	}
	return term.Unattributed
}

// ClassOfMisread is the class and the rule of a value that a release misread: what is
// stored must be read as it was written, and what existed must mean what it did.
func ClassOfMisread(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, by term.Role, why term.Cause) (term.Class, term.Rule) {
	switch {
	case why == term.BadEncoding:
		return term.Violation, term.Storage
	case by == term.New && !evidence.ValueIsOfChange(ev, tl, acked.Leaf.Path):
		return term.Violation, term.Rule2
	}
	return ClassOf(ev, tl, acked.Leaf.Path)
}
