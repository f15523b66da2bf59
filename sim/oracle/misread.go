package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// misreading is why a release that publishes a field does not serve the value
// which a stored version holds, as the other release shows. Where it serves it at
// times, nothing tells. Of protobuf the fields' numbers may tell that the release
// reads another field there; of text, what stands under the field's own name,
// that the release itself made it into something else.
func (e *evidence) misreading(l *life, n *entry, v *version, s *sight) term.Cause {
	if e.servesAtTimes(l, n, v, s) {
		return term.Unattributed
	}
	leaf, shown := n.in(e.leavesOf(l, s.answer))
	encoding := storage.Encoding(v.change.Encoding)
	switch {
	case encoding == storage.Protobuf && (e.displaced(l, n, v, s) || e.renumbered(l, n, v, s.reader())):
		return term.BadEncoding
	case !shown || encoding != storage.Protobuf && !e.storedUnder(l, n, v):
		return term.Unattributed
	case e.isPublishedDefault(l, s.role, leaf):
		return term.Defaulted
	}
	return term.Converted
}

// servesAtTimes tells whether another answer of the release, to whom it shows the
// same, showed the value of the version.
func (e *evidence) servesAtTimes(l *life, n *entry, v *version, s *sight) bool {
	return slices.ContainsFunc(v.views[s.role], func(o *sight) bool {
		leaf, shown := n.in(e.leavesOf(l, o.answer))
		return o.types == s.types && shown && leaf.Semantic == n.leaf.Semantic
	})
}

// reader is the release whose types made what the sight shows of protobuf: the
// server's own or, where the body was sent as such, its client's.
func (s *sight) reader() term.Role {
	if role, typed := s.types.Role(); typed {
		return role
	}
	return s.role
}

// storedUnder tells whether the stored text itself holds the value at its path,
// in the copy's own version.
func (e *evidence) storedUnder(l *life, n *entry, v *version) bool {
	if c := v.change; c.APIVersion != l.manifest.APIVersion || c.Kind != l.manifest.Kind {
		return false
	}
	leaf, holds := n.in(leavesIn(l.kind, storage.Read(bytesOf(e.history.Body(v.change.Value))).Object))
	return holds && leaf.Semantic == n.leaf.Semantic
}

func bytesOf(b history.Blob) []byte {
	if len(b.Bytes) > 0 {
		return b.Bytes
	}
	return b.JSON
}

// misread is why the server, or the one that the client had read through, served
// something else of the version that the write met than what that holds: it then
// was written back so.
func (w write) misread() term.Cause {
	if w.v == nil {
		return term.Unattributed
	}
	before := w.l.previous(w.v)
	if before == nil {
		return term.Unattributed
	}
	read := w.e.reads[w.act.Step]
	for _, role := range []term.Role{read.Role, w.act.Role} {
		if s := w.e.withholder(w.l, w.n, before, role); s != nil && w.e.declares(role, w.l, w.n.leaf.Path) {
			return w.e.misreading(w.l, w.n, before, s)
		}
	}
	return term.Unattributed
}

// broken is the class and the rule of a value that a release misread: what is
// stored must be read as it was written, and what existed must mean what it did.
func (e *evidence) broken(l *life, n *entry, by term.Role, why term.Cause) (term.Class, term.Rule) {
	switch {
	case why == term.BadEncoding:
		return term.Violation, term.Storage
	case by == term.New && !e.usesAt(l, n.leaf.Path):
		return term.Violation, term.Rule2
	}
	return e.class(l, n.leaf.Path)
}
