package blame

import (
	"regexp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/storage"
)

// Misreading returns why a release that publishes a field does not serve the stored value, which
// the other release shows. If the release serves it sometimes, the cause is unknown. The field
// numbers of protobuf may show that the release reads another field there; text under the field's
// own name shows that the release itself changed the value.
func Misreading(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation) term.Cause {
	if servesAtTimes(ev, tl, acked, v, obs) {
		return term.Unattributed
	}
	leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
	isDefault := shown && ev.IsPublishedDefault(tl, obs.Role, leaf)
	isConverted := ev.IsCustom(tl, obs.Role) && v.Change.APIVersion != "" && v.Change.APIVersion != tl.Manifest.APIVersion
	encoding := storage.Encoding(v.Change.Encoding)
	switch {
	case encoding == storage.Protobuf && (displaced(ev, tl, acked, v, obs) || renumbered(ev, tl, acked, v, reader(obs))):
		return term.BadEncoding
	case isConverted && !isDefault: // what is stored is of another version, and the releases do not convert it alike
		return term.Converted
	case !shown || !isConverted && encoding != storage.Protobuf && !storedUnder(ev, tl, acked, v):
		return term.Unattributed
	case isDefault:
		return term.Defaulted
	}
	return term.Converted
}

// servesAtTimes reports whether another answer of the release, which must show the same, showed
// the value of the version. While the program of another release runs, it need not be the same.
func servesAtTimes(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion, obs *trace.Observation) bool {
	return slices.ContainsFunc(v.Views[obs.Role], func(o *trace.Observation) bool {
		leaf, shown := acked.FoundIn(ev.LeavesOf(tl, o.Answer))
		return o.Types == obs.Types && ev.Steps[o.Step].Program == ev.Steps[obs.Step].Program && shown && leaf.Semantic == acked.Leaf.Semantic
	})
}

// reader returns the release whose types decoded the protobuf of the observation: the server's
// own or, if the body was sent as protobuf, its client's.
func reader(obs *trace.Observation) term.Role {
	if role, typed := obs.Types.Role(); typed {
		return role
	}
	return obs.Role
}

// storedUnder reports whether the stored text itself holds the value at its path, in the copy's
// own version.
func storedUnder(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion) bool {
	if c := v.Change; c.APIVersion != tl.Manifest.APIVersion || c.Kind != tl.Manifest.Kind {
		return false
	}
	leaf, holds := acked.FoundIn(trace.LeavesIn(tl.Kind, storage.Read(trace.BytesOf(ev.History.Body(v.Change.Value))).Object))
	return holds && leaf.Semantic == acked.Leaf.Semantic
}

// misread returns why the server, or the one through which the client had read, served another
// value than the version that the write met holds. The write then stored the other value.
func (w Write) misread() term.Cause {
	if w.version == nil {
		return term.Unattributed
	}
	before := w.Timeline.Previous(w.version)
	if before == nil {
		return term.Unattributed
	}
	read := w.Ev.Reads[w.Act.Step]
	for _, role := range []term.Role{read.Role, w.Act.Role} {
		if obs := trace.Withholder(w.Ev, w.Timeline, w.Acked, before, role); obs != nil && w.Ev.Declares(role, w.Timeline, w.Acked.Leaf.Path) {
			return Misreading(w.Ev, w.Timeline, w.Acked, before, obs)
		}
	}
	return term.Unattributed
}

// ClassOfMisread returns the class and the rule of a value that a release misread: stored values
// must be read as they were written, and existing values must keep their meaning.
func ClassOfMisread(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, by term.Role, why term.Cause) (term.Class, term.Rule) {
	switch {
	case why == term.BadEncoding:
		return term.Violation, term.RuleStorage
	case by == term.New && !trace.ValueIsOfChange(ev, tl, acked.Leaf.Path):
		return term.Violation, term.Rule2
	}
	return ClassOf(ev, tl, acked.Leaf.Path)
}

// unreadField matches the field that a client's types could not decode, where they name its path in
// the object, as approximated types do. Go's own decoder names the struct before it.
var unreadField = regexp.MustCompile(`Go struct field (\..+) of type \w+$`)

// AddMisreadPaths adds the path of the value that a client could not decode to findings about its
// answer.
func AddMisreadPaths(ev *trace.Evidence, all []result.Finding) {
	for i := range all {
		f := &all[i]
		if f.Cause == term.Misread && f.Path == "" {
			f.Path = unreadAt(ev, f.Step, f.Copy)
		}
	}
}

// unreadAt returns the path of the value that the client of a step could not decode; "" if its types do
// not name it.
func unreadAt(ev *trace.Evidence, step int, copyName string) string {
	for _, op := range ev.History.Operations {
		m := unreadField.FindStringSubmatch(op.Undecoded)
		if m == nil || op.Step != step || op.Copy != copyName || op.Purpose == history.Look {
			continue
		}
		if _, err := path.Parse(m[1]); err == nil {
			return m[1]
		}
	}
	return ""
}
