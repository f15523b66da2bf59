package oracle

import "github.com/skewsim/skewsim/sim/schema"

// body is a blob read as one kind: the same patch can go to several.
type body struct{ kind, digest string }

// memo keeps the values of bodies that were read, up to a bound: a run has a
// hundred thousand answers, and each is asked for again and again only while
// its copy is judged.
type memo struct {
	leaves map[body]schema.Leaves
	held   int // values
}

// heldMost bounds what is kept: some 50 MB.
const heldMost = 100_000

func (m *memo) keep(key body, found schema.Leaves) {
	if m.leaves == nil || m.held+len(found) > heldMost {
		m.leaves, m.held = map[body]schema.Leaves{}, 0
	}
	m.leaves[key] = found
	m.held += len(found)
}

// leavesOf are the values that an answer showed of a copy, without what
// servers keep for themselves.
func (e *evidence) leavesOf(l *life, digest string) schema.Leaves {
	key := body{l.manifest.APIVersion + " " + l.manifest.Kind, digest}
	if found, ok := e.memo.leaves[key]; ok {
		return found
	}
	object := e.history.StoredObject(digest)
	if meta, ok := object["metadata"].(map[string]any); ok {
		delete(meta, "managedFields") // names of fields, no values of them
	}
	found := leavesIn(l.kind, object)
	e.memo.keep(key, found)
	return found
}
