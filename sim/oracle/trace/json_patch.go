package trace

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// operation is one operation of a JSON patch.
type operation struct {
	Op, Path, From string
	Value          any
}

func (o operation) sets() bool { return o.Op == "add" || o.Op == "replace" }

func (o operation) copies() bool { return o.Op == "copy" || o.Op == "move" }

// OperationsOf parses a JSON patch. It returns nil if the body is not one.
func OperationsOf(raw []byte) []operation {
	var all []operation
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

// offersOfOperations returns the values that a JSON patch sets. The operations are applied to the
// object as it was last seen, since indexes name list elements only there. The client did not
// send what is copied or moved: that counts as far as the answer shows it. It returns false if
// the patch does not fit the object that was seen.
func offersOfOperations(tr *Trace, tl *Timeline, act history.Operation) (schema.Leaves, bool) {
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
	// What a later operation removed or replaced is not an intended value.
	final := LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, object))
	maps.DeleteFunc(all, func(name string, leaf schema.Leaf) bool { return final[name].Semantic != leaf.Semantic })
	return all, len(operations) > 0
}

// aboutOfOperations returns the values that a JSON patch sets, removes or tests: any of them may
// be why it is refused. It applies them as offersOfOperations does, and returns false if the body
// is not a JSON patch or does not fit the object that was seen.
func aboutOfOperations(tr *Trace, tl *Timeline, act history.Operation) (all []schema.Leaf, told bool) {
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

// seenLast returns the object as it was last seen before an operation, through the same release
// if that release showed the same version.
func seenLast(tr *Trace, tl *Timeline, act history.Operation) map[string]any {
	last := NoObservation()
	for _, obs := range tl.Observations {
		if obs.Step < act.Step && obs.ShowsObject() && cmp.Or(cmp.Compare(obs.Revision, last.Revision), rankOf(obs, act)-rankOf(last, act)) >= 0 {
			last = obs
		}
	}
	return tr.History.Object(last.Answer)
}

func rankOf(obs Observation, act history.Operation) int {
	if obs.Role == act.Role {
		return 1
	}
	return 0
}

// play applies the operation to the object, and reports whether it could.
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

// cloned returns a deep copy of a value, with numbers as in the objects of the history.
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
		tokens[i] = jsonpointer.Unescape(token)
	}
	return tokens
}

// placeIn returns the index that a token names in a list, -1 if none: "-" is the place after the
// last element.
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

// edit changes the value at the tokens below a node. It returns the node, which is a new one if a
// list grows or shrinks.
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

// leavesAt returns the object's values at and below a JSON pointer, by their paths in the whole
// object.
func leavesAt(tl *Timeline, object map[string]any, tokens []string) schema.Leaves {
	only, at := spine(object, tokens)
	whole, _ := only.(map[string]any)
	at[0].name = plainName(tl.Manifest.Kind, at[0].name)
	found := schema.Leaves{}
	for _, leaf := range LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, whole)) {
		if p, below := placed(leaf.Path, at); below {
			leaf.Path = p
			found[path.String(p)] = leaf
		}
	}
	return found
}

// hop is a token of a pointer: the name of a member, or an index, which is -1 for a name.
type hop struct {
	name  string
	index int
}

// spine returns an object with only what leads to a pointer and the scalar values beside it,
// which include the keys of list elements.
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

// placed translates a path in a spine to a path in the whole object, and reports whether it is at
// or below the hops. A list in a spine has one element, so its index says nothing.
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
