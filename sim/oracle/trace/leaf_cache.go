package trace

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/schema"
)

// LeavesIn are an object's values. Nothing, or an object without members, has
// none: it is no empty value of the whole object.
func LeavesIn(k schema.Kind, object map[string]any) schema.Leaves {
	if len(object) == 0 {
		return schema.Leaves{}
	}
	return k.Leaves(object)
}

// body is a blob read as one kind: the same patch can go to several.
type body struct{ kind, digest string }

// leafCache keeps the values of bodies that were read, up to a bound: a run has a
// hundred thousand answers, and each is asked for again and again only while
// its copy is judged.
type leafCache struct {
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

func (m *leafCache) keep(key body, found schema.Leaves) {
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

// Same is a text that an entry keeps.
func (m *leafCache) Same(text string) string {
	if known, ok := m.words[text]; ok {
		return known
	}
	if m.words == nil {
		m.words = map[string]string{}
	}
	m.words[text] = text
	return text
}

// SameLeaf is a value that an entry keeps.
func (m *leafCache) SameLeaf(name string, leaf schema.Leaf) schema.Leaf {
	if known, ok := m.paths[name]; ok {
		leaf.Path = known
	} else {
		if m.paths == nil {
			m.paths = map[string]fieldpath.Path{}
		}
		m.paths[name] = leaf.Path
	}
	leaf.Semantic = m.Same(leaf.Semantic)
	if text, is := leaf.Value.(string); is {
		leaf.Value = m.Same(text)
	}
	return leaf
}

// LeavesOf are the values that an answer showed of a copy, without what
// servers keep for themselves.
func (tr *Trace) LeavesOf(tl *Timeline, digest string) schema.Leaves {
	key := body{tl.Manifest.APIVersion + " " + tl.Manifest.Kind, digest}
	if found, ok := tr.Cache.leaves[key]; ok {
		return found
	}
	object := tr.History.StoredObject(digest)
	if meta, ok := object["metadata"].(map[string]any); ok {
		delete(meta, "managedFields") // names of fields, no values of them
	}
	found := LeavesIn(tl.Kind, object)
	tr.Cache.keep(key, found)
	return found
}

// Union returns the names of the values that either object has, sorted.
func Union(a, b schema.Leaves) []string {
	names := slices.Collect(maps.Keys(a))
	names = slices.AppendSeq(names, maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}
