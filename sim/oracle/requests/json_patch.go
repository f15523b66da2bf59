package requests

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// operation is one of a JSON patch.
type operation struct {
	Op, Path, From string
	Value          any
}

func (o operation) sets() bool { return o.Op == "add" || o.Op == "replace" }

func (o operation) copies() bool { return o.Op == "copy" || o.Op == "move" }

// OperationsOf reads a JSON patch. Nil: it is none.
func OperationsOf(raw []byte) []operation {
	var all []operation
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

// offersOfOperations are the values that a JSON patch sets. The operations are
// played on the object as it was last seen: only there do numbers tell which
// element of a list is meant. Of what is copied or moved the client sent no
// value: it counts as far as the answer shows it. Not told: the patch does not
// fit what was seen.
func offersOfOperations(tr *trace.Trace, tl *trace.Timeline, act history.Operation) (schema.Leaves, bool) {
	object, all := seenLast(tr, tl, act), schema.Leaves{}
	shown := tr.LeavesOf(tl, act.Exchange.Answer)
	operations := OperationsOf(tr.History.Body(act.Exchange.Sent).JSON)
	for _, o := range operations {
		if !o.play(object) {
			return nil, false
		}
		set := schema.Leaves{}
		if o.sets() || o.copies() {
			set = leavesAt(tl, object, tokensOf(o.Path))
		}
		for name, leaf := range set {
			if was, has := shown[name]; o.sets() || has && was.Semantic == leaf.Semantic {
				all[name] = leaf
			}
		}
	}
	// What a later operation took away, or replaced, was not meant.
	final := trace.LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, object))
	maps.DeleteFunc(all, func(name string, leaf schema.Leaf) bool { return final[name].Semantic != leaf.Semantic })
	return all, len(operations) > 0
}

// aboutOfOperations are the values that a JSON patch sets, takes away or asks for:
// any of them may be why it is refused. They are played as offersOfOperations does.
// Not told: the body is no JSON patch, or does not fit what was seen.
func aboutOfOperations(tr *trace.Trace, tl *trace.Timeline, act history.Operation) (all []schema.Leaf, told bool) {
	object := seenLast(tr, tl, act)
	operations := OperationsOf(tr.History.Body(act.Exchange.Sent).JSON)
	if object == nil || operations == nil {
		return nil, false
	}
	for _, o := range operations {
		at := tokensOf(o.Path)
		switch o.Op {
		case "move":
			all = slices.AppendSeq(all, maps.Values(leavesAt(tl, object, tokensOf(o.From))))
		case "remove", "replace":
			all = slices.AppendSeq(all, maps.Values(leavesAt(tl, object, at)))
		case "test":
			asked, _ := cloned(object).(map[string]any)
			if o = (operation{Op: "replace", Path: o.Path, Value: o.Value}); !o.play(asked) {
				return nil, false
			}
			all = slices.AppendSeq(all, maps.Values(leavesAt(tl, asked, at)))
			continue
		}
		if !o.play(object) {
			return nil, false
		}
		if o.sets() || o.copies() {
			all = slices.AppendSeq(all, maps.Values(leavesAt(tl, object, at)))
		}
	}
	return all, true
}

// seenLast is the object as it was seen last before an operation, through the
// release that it went through if that saw the same version.
func seenLast(tr *trace.Trace, tl *trace.Timeline, act history.Operation) map[string]any {
	last := trace.NoObservation()
	for _, obs := range tl.Observations {
		if obs.Step < act.Step && obs.ShowsObject() && cmp.Or(cmp.Compare(obs.Revision, last.Revision), rankOf(obs, act)-rankOf(last, act)) >= 0 {
			last = obs
		}
	}
	return tr.History.Object(last.Answer)
}

func rankOf(obs trace.Observation, act history.Operation) int {
	if obs.Role == act.Role {
		return 1
	}
	return 0
}

// play does to the object what the operation says, and reports whether it could.
func (o operation) play(object map[string]any) bool {
	value := o.Value
	if o.copies() {
		from, ok := valueAt(object, tokensOf(o.From))
		if !ok {
			return false
		}
		value = cloned(from)
	}
	if o.Op == "move" {
		edit(object, tokensOf(o.From), operation{Op: "remove"})
	}
	if o.Op == "test" {
		return true
	}
	if object == nil || o.Path == "" { // the whole object
		return false
	}
	_, ok := edit(object, tokensOf(o.Path), operation{Op: o.Op, Value: cloned(value)})
	return ok
}

// cloned is a value of its own, with numbers as objects of the history have them.
func cloned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for key, member := range v {
			c[key] = cloned(member)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, item := range v {
			c[i] = cloned(item)
		}
		return c
	case float64:
		if whole := int64(v); float64(whole) == v {
			return whole
		}
	}
	return v
}

func tokensOf(pointer string) []string {
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// placeIn is the index that a token has in a list: "-" is the place behind its
// end. -1: it has none.
func placeIn(list []any, token string, last int) int {
	if token == "-" {
		return last
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i > last {
		return -1
	}
	return i
}

func valueAt(node any, tokens []string) (any, bool) {
	for _, token := range tokens {
		switch n := node.(type) {
		case map[string]any:
			child, has := n[token]
			if !has {
				return nil, false
			}
			node = child
		case []any:
			i := placeIn(n, token, len(n)-1)
			if i < 0 {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	return node, true
}

// edit changes what lies at the tokens below a node. It returns the node, which
// is another where a list grows or shrinks.
func edit(node any, tokens []string, o operation) (any, bool) {
	switch n := node.(type) {
	case map[string]any:
		return n, editMap(n, tokens, o)
	case []any:
		return editList(n, tokens, o)
	}
	return node, false
}

func editMap(n map[string]any, tokens []string, o operation) bool {
	child, has := n[tokens[0]]
	switch {
	case len(tokens) > 1:
		changed, ok := edit(child, tokens[1:], o)
		if ok {
			n[tokens[0]] = changed
		}
		return ok
	case o.Op == "remove":
		delete(n, tokens[0])
		return has
	}
	n[tokens[0]] = o.Value
	return true
}

func editList(n []any, tokens []string, o operation) (any, bool) {
	adds := len(tokens) == 1 && o.Op != "replace" && o.Op != "remove"
	last := len(n) - 1
	if adds {
		last = len(n)
	}
	i := placeIn(n, tokens[0], last)
	switch {
	case i < 0:
		return n, false
	case len(tokens) > 1:
		changed, ok := edit(n[i], tokens[1:], o)
		n[i] = changed
		return n, ok
	case adds:
		return slices.Insert(n, i, o.Value), true
	case o.Op == "remove":
		return slices.Delete(n, i, i+1), true
	}
	n[i] = o.Value
	return n, true
}

// leavesAt are the object's values at and below a JSON pointer, under the paths
// that they have in the whole object.
func leavesAt(tl *trace.Timeline, object map[string]any, tokens []string) schema.Leaves {
	only, at := spine(object, tokens)
	whole, _ := only.(map[string]any)
	at[0].name = plainName(tl.Manifest.Kind, at[0].name)
	found := schema.Leaves{}
	for _, leaf := range trace.LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, whole)) {
		if p, below := placed(leaf.Path, at); below {
			leaf.Path = p
			found[path.String(p)] = leaf
		}
	}
	return found
}

// hop is a token of a pointer: the name of a member, or an index where it is -1 or more.
type hop struct {
	name  string
	index int
}

// spine is an object with nothing but what leads to a pointer, and the plain
// values beside that: an element's key is among these.
func spine(node any, tokens []string) (any, []hop) {
	if len(tokens) == 0 {
		return node, nil
	}
	switch n := node.(type) {
	case map[string]any:
		kept := maps.Clone(n)
		maps.DeleteFunc(kept, func(_ string, member any) bool {
			_, fields := member.(map[string]any)
			_, list := member.([]any)
			return fields || list
		})
		child, at := spine(n[tokens[0]], tokens[1:])
		kept[tokens[0]] = child
		return kept, append([]hop{{name: tokens[0], index: -1}}, at...)
	case []any:
		if i := placeIn(n, tokens[0], len(n)-1); i >= 0 {
			child, at := spine(n[i], tokens[1:])
			return []any{child}, append([]hop{{index: i}}, at...)
		}
	}
	return nil, []hop{{index: -1}}
}

// placed is a path in a spine as it is in the whole object, and whether it is
// at or below the hops: a list in a spine has one element, so that its index
// says nothing.
func placed(p fieldpath.Path, at []hop) (fieldpath.Path, bool) {
	if len(p) < len(at) {
		return nil, false
	}
	p = slices.Clone(p)
	for i, t := range at {
		switch {
		case p[i].FieldName != nil && *p[i].FieldName != t.name:
			return nil, false
		case p[i].Index != nil:
			p[i] = fieldpath.IndexElement(t.index)
		}
	}
	return p, true
}
