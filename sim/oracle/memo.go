package oracle

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/schema"
)

// body is a blob read as one kind: the same patch can go to several.
type body struct{ kind, digest string }

// memo keeps the values of bodies that were read, up to a bound: a run has a
// hundred thousand answers, and each is asked for again and again only while
// its copy is judged.
type memo struct {
	leaves map[body]schema.Leaves
	held   int // bytes
	// words and paths are those of entries, by their text: copies of one object are sent the
	// same values, and as long as all are kept, each is kept once.
	words map[string]string
	paths map[string]fieldpath.Path
}

// heldMost bounds what is kept, in bytes or so, and besideText is what a value takes beside
// its texts.
const (
	heldMost   = 16 << 20
	besideText = 400
)

func (m *memo) keep(key body, found schema.Leaves) {
	size := sizeOf(found)
	if m.leaves == nil || m.held+size > heldMost {
		m.leaves, m.held = map[body]schema.Leaves{}, 0
	}
	m.leaves[key] = found
	m.held += size
}

func sizeOf(found schema.Leaves) int {
	size := 0
	for name, leaf := range found {
		size += besideText + len(name) + 2*len(leaf.Semantic) // once as it came
	}
	return size
}

// same is a text that an entry keeps.
func (m *memo) same(text string) string {
	if known, ok := m.words[text]; ok {
		return known
	}
	if m.words == nil {
		m.words = map[string]string{}
	}
	m.words[text] = text
	return text
}

// sameLeaf is a value that an entry keeps.
func (m *memo) sameLeaf(name string, leaf schema.Leaf) schema.Leaf {
	if known, ok := m.paths[name]; ok {
		leaf.Path = known
	} else {
		if m.paths == nil {
			m.paths = map[string]fieldpath.Path{}
		}
		m.paths[name] = leaf.Path
	}
	leaf.Semantic = m.same(leaf.Semantic)
	if text, is := leaf.Value.(string); is {
		leaf.Value = m.same(text)
	}
	return leaf
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
