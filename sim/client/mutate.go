package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/plan"
)

// Apply returns a copy of the object with the assignments made.
func Apply(object map[string]any, all []plan.Assignment) (map[string]any, error) {
	changed := runtime.DeepCopyJSON(object)
	for _, a := range all {
		completeKeys(changed, a.Path)
		if a.Value == nil {
			path.Remove(changed, a.Path)
			continue
		}
		if err := path.Set(changed, a.Path, runtime.DeepCopyJSONValue(a.Value)); err != nil {
			return nil, unfit("set %s: %w", path.String(a.Path), err)
		}
	}
	return changed, nil
}

// MergePatch is the JSON merge patch that makes the assignments. A list is
// replaced whole, as merge patches do: with the elements that base has.
func MergePatch(base map[string]any, all []plan.Assignment) (map[string]any, error) {
	patch := map[string]any{}
	changed := base
	if slices.ContainsFunc(all, func(a plan.Assignment) bool { return intoList(a.Path) >= 0 }) {
		var err error
		if changed, err = Apply(base, all); err != nil {
			return nil, err
		}
	}
	for _, a := range all {
		at, v := liftToList(changed, a)
		if err := path.Set(patch, at, v); err != nil {
			return nil, err
		}
	}
	return patch, nil
}

// liftToList turns the assignment of something inside a list into the
// assignment of the whole list, as it is after all assignments: two may be
// about the same list.
func liftToList(changed map[string]any, a plan.Assignment) (fieldpath.Path, any) {
	cut := intoList(a.Path)
	if cut < 0 {
		return a.Path, a.Value
	}
	list, _ := path.Get(changed, a.Path[:cut])
	return a.Path[:cut], list
}

// intoList is how far the path leads to the first list it goes into, -1 when to none.
func intoList(p fieldpath.Path) int {
	return slices.IndexFunc(p, func(e fieldpath.PathElement) bool { return e.FieldName == nil })
}

// StrategicPatch is the strategic merge patch that makes the assignments:
// elements of list-maps are merged by their keys. Elements without a key can
// only be appended to a set: an index means nothing to such a patch.
func StrategicPatch(all []plan.Assignment) (map[string]any, error) {
	patch := map[string]any{}
	for _, a := range all {
		if err := strategicSet(patch, a); err != nil {
			return nil, err
		}
	}
	return patch, nil
}

func strategicSet(patch map[string]any, a plan.Assignment) error {
	last := len(a.Path) - 1
	if slices.ContainsFunc(a.Path, func(e fieldpath.PathElement) bool { return e.Index != nil }) {
		return unfit("strategic-patch: %s: cannot address an element by its index; use json-patch or put", path.String(a.Path))
	}
	switch e := a.Path[last]; {
	case a.Value == nil && e.Key != nil:
		return path.Set(patch, slices.Concat(a.Path, field("$patch")), "delete")
	case a.Value == nil && e.FieldName != nil:
		return path.Set(patch, a.Path, nil)
	case a.Value == nil:
		return unfit("strategic-patch: %s: cannot remove an element without a key; use json-patch or put", path.String(a.Path))
	}
	return path.Set(patch, a.Path, a.Value)
}

func field(name string) fieldpath.Path { return fieldpath.Path{{FieldName: &name}} }

// JSONPatch is the JSON patch that makes the assignments on an object shaped
// like base: list elements are found there by their keys. Each operation counts
// on those before it, as the server plays them in turn.
func JSONPatch(base map[string]any, all []plan.Assignment) ([]any, error) {
	operations := []any{} // not nil, which would be sent as null
	current := runtime.DeepCopyJSON(base)
	for _, a := range all {
		completeKeys(current, a.Path)
		_, exists := path.Get(current, a.Path)
		if a.Value == nil && !exists {
			continue // nothing to remove
		}
		if a.Value != nil {
			operations = append(operations, parents(current, a.Path)...)
		}
		pointer, err := pointerTo(current, a.Path)
		if err != nil {
			return nil, err
		}
		if current, err = Apply(current, []plan.Assignment{a}); err != nil {
			return nil, err
		}
		operations = append(operations, operation(current, a, pointer, exists))
	}
	return operations, nil
}

// parents are the operations that make what is missing above a path, empty, so
// that the path can be added to; current gets it too.
func parents(current map[string]any, p fieldpath.Path) []any {
	var operations []any
	for i := 1; i < len(p); i++ {
		if _, here := path.Get(current, p[:i]); here || p[i-1].FieldName == nil {
			continue
		}
		var empty any = map[string]any{}
		if p[i].FieldName == nil {
			empty = []any{}
		}
		pointer, err := pointerTo(current, p[:i])
		if err != nil || path.Set(current, p[:i], runtime.DeepCopyJSONValue(empty)) != nil {
			return operations // a wrong path is reported where it is added
		}
		operations = append(operations, map[string]any{"op": "add", "path": pointer, "value": empty})
	}
	return operations
}

// operation is one operation of a JSON patch; changed is the object after it.
func operation(changed map[string]any, a plan.Assignment, pointer string, exists bool) map[string]any {
	if a.Value == nil {
		return map[string]any{"op": "remove", "path": pointer}
	}
	v, _ := path.Get(changed, a.Path) // an element comes with its key
	if exists && a.Path[len(a.Path)-1].FieldName == nil {
		return map[string]any{"op": "replace", "path": pointer, "value": v} // add would insert another before it
	}
	return map[string]any{"op": "add", "path": pointer, "value": v}
}

// pointerTo writes a path as a JSON pointer into base. A list element that base
// lacks is the place after the last.
func pointerTo(base map[string]any, p fieldpath.Path) (string, error) {
	var b strings.Builder
	for i, e := range p {
		_, here := path.Get(base, p[:i+1])
		token, err := token(base, p, i, e, here)
		if err != nil {
			return "", err
		}
		b.WriteString("/" + token)
		if !here && i < len(p)-1 {
			return "", unfit("json-patch: %s: the manifest has no %s to put it in; give the manifest an empty one",
				path.String(p), path.String(p[:i+1]))
		}
	}
	return b.String(), nil
}

func token(base map[string]any, p fieldpath.Path, i int, e fieldpath.PathElement, here bool) (string, error) {
	switch {
	case e.FieldName != nil:
		return jsonpointer.Escape(*e.FieldName), nil
	case !here:
		return "-", nil
	case e.Index != nil:
		return strconv.Itoa(*e.Index), nil
	}
	v, _ := path.Get(base, p[:i])
	list, _ := v.([]any)
	for n := range list {
		one := map[string]any{"list": []any{list[n]}}
		if _, ok := path.Get(one, slices.Concat(field("list"), fieldpath.Path{e})); ok {
			return strconv.Itoa(n), nil
		}
	}
	return "", unfit("json-patch: %s: no such element in the manifest", path.String(p))
}

func encode(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a body: %w", err)
	}
	return raw, nil
}
