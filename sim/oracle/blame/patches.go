package blame

import (
	"slices"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// cut is how a patch affects a value that it does not hold.
type cut int

const (
	Untouched cut = iota // it does not mention the value or its parents
	byList               // it holds a whole list above the value
	byRemoval            // it removes the value, or replaces its parent
)

// Cut returns how the request's body affects the value. The content type, else the verb, says how
// to read the body.
func (w Write) Cut() cut {
	raw := w.Ev.History.Body(w.Act.Exchange.Sent).JSON
	switch w.patchType() {
	case types.JSONPatchType:
		return w.cutByOperations(raw)
	case types.StrategicMergePatchType:
		return strategicCut(w.Ev.History.Object(w.Act.Exchange.Sent), w.Acked.Leaf.Path)
	}
	return mergeCut(w.Ev.History.Object(w.Act.Exchange.Sent), w.Acked.Leaf.Path)
}

func (w Write) patchType() types.PatchType {
	if content := types.PatchType(w.Act.Exchange.ContentType); content != "" {
		return content
	}
	switch w.Step.Verb.PatchForm() {
	case term.JSONForm:
		return types.JSONPatchType
	case term.StrategicForm:
		return types.StrategicMergePatchType
	}
	return types.MergePatchType
}

// mergeCut follows the path into a JSON merge patch: it merges objects, and replaces everything
// else. A null removes.
func mergeCut(body map[string]any, p fieldpath.Path) cut {
	var node any = body
	for _, e := range p {
		fields, merged := node.(map[string]any)
		if !merged || e.FieldName == nil {
			break
		}
		child, said := fields[*e.FieldName]
		if !said {
			return Untouched
		}
		node = child
	}
	return cutBy(node)
}

func cutBy(node any) cut {
	if _, list := node.([]any); list {
		return byList
	}
	return byRemoval
}

// strategicCut follows the path into a strategic merge patch, which also merges lists with keys.
// $patch and $retainKeys override that.
func strategicCut(body map[string]any, p fieldpath.Path) cut {
	var node any = body
	for _, e := range p {
		list, isList := node.([]any)
		if isList && (e.Index != nil || replacesAll(list)) {
			return byList
		}
		if isList {
			if node = elementIn(list, e); node == nil {
				return Untouched
			}
			if fields, _ := node.(map[string]any); fields["$patch"] == "delete" {
				return byRemoval
			}
			continue
		}
		fields, _ := node.(map[string]any)
		if fields == nil || e.FieldName == nil {
			return byRemoval
		}
		child, said := fields[*e.FieldName]
		if !said {
			return unmentioned(fields, *e.FieldName)
		}
		node = child
	}
	return cutBy(node)
}

// unmentioned returns how a strategic merge patch affects a field that it does not hold.
func unmentioned(fields map[string]any, name string) cut {
	kept, retains := fields["$retainKeys"].([]any)
	if fields["$patch"] == "replace" || retains && !slices.Contains(kept, any(name)) {
		return byRemoval
	}
	if deleted, _ := fields["$deleteFromPrimitiveList/"+name].([]any); deleted != nil {
		return byRemoval
	}
	return Untouched
}

// replacesAll reports whether a list has the directive to replace, not merge.
func replacesAll(list []any) bool {
	return slices.ContainsFunc(list, func(item any) bool {
		fields, _ := item.(map[string]any)
		return fields["$patch"] == "replace" && len(fields) == 1
	})
}

// elementIn returns the entry for an element in a list of a strategic merge patch: it has one of
// the keys that a schema can have.
func elementIn(list []any, e fieldpath.PathElement) any {
	if e.Key == nil {
		return nil
	}
	for _, item := range list {
		fields, _ := item.(map[string]any)
		matched := 0
		for _, key := range *e.Key {
			if v, has := fields[key.Name]; has && v != key.Value.Unstructured() {
				matched = -1
				break
			} else if has {
				matched++
			}
		}
		if matched > 0 {
			return item
		}
	}
	return nil
}

// cutByOperations follows a JSON patch, operation by operation.
func (w Write) cutByOperations(raw []byte) cut {
	for _, o := range trace.OperationsOf(raw) {
		at := o.Path
		if o.Op == "move" {
			at = o.From
		}
		above, whole := meets(at, w.Acked.Leaf.Path)
		switch {
		case !above || o.Op == "test" || o.Op == "copy":
		case !whole, o.Op == "remove", o.Op == "move", !w.holds(o.Value, at):
			return cutBy(o.Value)
		}
	}
	return Untouched
}

// meets reports whether a JSON pointer leads to the path or above it, and whether the whole
// pointer matches by names alone. It has indexes for list elements, which do not identify the
// element that holds the value.
func meets(pointer string, p fieldpath.Path) (above, whole bool) {
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if len(tokens) > len(p) {
		return false, false
	}
	whole = true
	for i, token := range tokens {
		switch {
		case p[i].FieldName == nil && token == "-":
			return false, false // it adds an element
		case p[i].FieldName == nil:
			whole = false
		case jsonpointer.Unescape(token) != *p[i].FieldName:
			return false, false
		}
	}
	return true, whole
}

// holds reports whether the value that an operation puts at a pointer contains the value.
func (w Write) holds(v any, pointer string) bool {
	depth := strings.Count(pointer, "/")
	object := map[string]any{}
	if path.Set(object, w.Acked.Leaf.Path[:depth], v) != nil {
		return false
	}
	leaf, has := w.Acked.FoundIn(w.Timeline.Kind.Leaves(object))
	return has && leaf.Semantic == w.Acked.Leaf.Semantic
}
