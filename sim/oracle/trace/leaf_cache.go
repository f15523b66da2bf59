package trace

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// LeavesIn returns an object's values. An object without members has no values, rather than one
// empty value.
func LeavesIn(k schema.Kind, object map[string]any) schema.Leaves {
	if len(object) == 0 {
		return schema.Leaves{}
	}
	return k.Leaves(object)
}

// body is a blob read as one kind, as an answer or as what was sent: one patch can be sent to several kinds.
type body struct {
	kind, digest string
	sent         bool
}

// leafCache keeps the values of bodies that were read, up to a bound: a run has a hundred
// thousand answers, and each is read repeatedly only while its copy is judged.
type leafCache struct {
	leaves map[body]schema.Leaves
	held   int // bytes
	// texts and paths hold what acknowledged values keep, by text: copies of one object are sent
	// the same values, and each value is kept once.
	texts map[string]string
	paths map[string]fieldpath.Path
}

// heldMost bounds the approximate bytes that are kept; besideText is what a value takes in
// addition to its texts.
const (
	heldMost   = 16 << 20
	besideText = 400
)

// of returns the values of a body, which are read where they are not kept.
func (m *leafCache) of(key body, read func() schema.Leaves) schema.Leaves {
	if found, ok := m.leaves[key]; ok {
		return found
	}
	found := read()
	size := sizeOf(found)
	if m.leaves == nil || m.held+size > heldMost {
		m.leaves, m.held = map[body]schema.Leaves{}, 0
	}
	m.leaves[key] = found
	m.held += size
	return found
}

func sizeOf(found schema.Leaves) int {
	size := 0
	for name, leaf := range found {
		size += besideText + len(name) + 2*len(leaf.Semantic) // counted once: as it was sent
	}
	return size
}

// same returns the one copy of a text that acknowledged values share.
func (m *leafCache) same(text string) string {
	if known, ok := m.texts[text]; ok {
		return known
	}
	if m.texts == nil {
		m.texts = map[string]string{}
	}
	m.texts[text] = text
	return text
}

// sameLeaf returns a value whose texts are shared.
func (m *leafCache) sameLeaf(name string, leaf schema.Leaf) schema.Leaf {
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

// Share returns an acknowledged value and its name with the texts that other values of the trace
// have already, so that equal texts are kept once.
func (tr *Trace) Share(name string, leaf schema.Leaf) (string, schema.Leaf) {
	return tr.cache.same(name), tr.cache.sameLeaf(name, leaf)
}

// LeavesOf returns the values that an answer showed of a copy, without server-owned fields.
func (tr *Trace) LeavesOf(tl *Timeline, digest string) schema.Leaves {
	return tr.cache.of(body{kindOf(tl), digest, false}, func() schema.Leaves {
		object := tr.History.StoredObject(digest)
		if meta, ok := object["metadata"].(map[string]any); ok {
			delete(meta, "managedFields") // holds names of fields, not their values
		}
		return LeavesIn(tl.Kind, object)
	})
}

// SentLeaves returns the values that a call sends of a copy, as servers store them. The caller must not change them: they are
// read once for all who ask, which is each loss by that call.
func (tr *Trace) SentLeaves(tl *Timeline, act history.Operation) schema.Leaves {
	return tr.cache.of(body{kindOf(tl), act.Exchange.Sent, true}, func() schema.Leaves {
		return LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, tr.History.Object(act.Exchange.Sent)))
	})
}

func kindOf(tl *Timeline) string { return tl.Manifest.APIVersion + " " + tl.Manifest.Kind }

// Union returns the names of the values in either object, sorted.
func Union(a, b schema.Leaves) []string {
	names := slices.Collect(maps.Keys(a))
	names = slices.AppendSeq(names, maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}
