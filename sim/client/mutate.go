package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/plan"
)

// Apply returns a copy of the object with the assignments made.
func Apply(object map[string]any, all []plan.Assignment) (map[string]any, error) {
	changed := runtime.DeepCopyJSON(object)
	for _, a := range all {
		if a.Value == nil {
			path.Remove(changed, a.Path)
			continue
		}
		if err := path.Set(changed, a.Path, runtime.DeepCopyJSONValue(a.Value)); err != nil {
			return nil, fmt.Errorf("set %s: %w", path.String(a.Path), err)
		}
	}
	return changed, nil
}

// MergePatch is the JSON merge patch that makes the assignments. A list is
// replaced whole, as merge patches do: with the elements that base has.
func MergePatch(base map[string]any, all []plan.Assignment) (map[string]any, error) {
	patch := map[string]any{}
	for _, a := range all {
		at, v, err := liftToList(base, a)
		if err != nil {
			return nil, err
		}
		if err := path.Set(patch, at, v); err != nil {
			return nil, err
		}
	}
	return patch, nil
}

// liftToList turns the assignment of something inside a list into the
// assignment of the whole list.
func liftToList(base map[string]any, a plan.Assignment) (fieldpath.Path, any, error) {
	cut := slices.IndexFunc(a.Path, func(e fieldpath.PathElement) bool { return e.FieldName == nil })
	if cut < 0 {
		return a.Path, a.Value, nil
	}
	changed, err := Apply(base, []plan.Assignment{a})
	if err != nil {
		return nil, nil, err
	}
	list, _ := path.Get(changed, a.Path[:cut])
	return a.Path[:cut], list, nil
}

// StrategicPatch is the strategic merge patch that makes the assignments:
// elements of list-maps are merged by their keys.
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
	switch e := a.Path[last]; {
	case a.Value == nil && e.Key != nil:
		return path.Set(patch, slices.Concat(a.Path, field("$patch")), "delete")
	case a.Value == nil && e.FieldName != nil:
		return path.Set(patch, a.Path, nil)
	case a.Value == nil:
		return fmt.Errorf("strategic-patch: %s: cannot remove an element without a key; use json-patch or put", path.String(a.Path))
	}
	return path.Set(patch, a.Path, a.Value)
}

func field(name string) fieldpath.Path { return fieldpath.Path{{FieldName: &name}} }

// JSONPatch is the JSON patch that makes the assignments on an object shaped
// like base: list elements are found there by their keys.
func JSONPatch(base map[string]any, all []plan.Assignment) ([]any, error) {
	var operations []any
	for _, a := range all {
		pointer, exists, err := pointerTo(base, a.Path)
		if err != nil {
			return nil, err
		}
		switch {
		case a.Value != nil:
			operations = append(operations, map[string]any{"op": "add", "path": pointer, "value": a.Value})
		case exists:
			operations = append(operations, map[string]any{"op": "remove", "path": pointer})
		}
	}
	return operations, nil
}

// pointerTo writes a path as a JSON pointer into base, and tells whether base
// has it. A list element that base lacks is the place after the last.
func pointerTo(base map[string]any, p fieldpath.Path) (string, bool, error) {
	var b strings.Builder
	exists := true
	for i, e := range p {
		_, here := path.Get(base, p[:i+1])
		exists = exists && here
		token, err := token(base, p, i, e, here)
		if err != nil {
			return "", false, err
		}
		b.WriteString("/" + token)
		if !here && i < len(p)-1 {
			return "", false, fmt.Errorf("json-patch: %s: the manifest has no %s to put it in; give the manifest an empty one",
				path.String(p), path.String(p[:i+1]))
		}
	}
	return b.String(), exists, nil
}

func token(base map[string]any, p fieldpath.Path, i int, e fieldpath.PathElement, here bool) (string, error) {
	switch {
	case e.FieldName != nil:
		return strings.NewReplacer("~", "~0", "/", "~1").Replace(*e.FieldName), nil
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
	return "", fmt.Errorf("json-patch: %s: no such element in the manifest", path.String(p))
}

func encode(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a body: %w", err)
	}
	return raw, nil
}
