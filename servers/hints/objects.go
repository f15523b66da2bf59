package hints

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Treated returns the object of the hint with its value: complete, except for a name.
func (h Hint) Treated() (map[string]any, error) { return h.with(h.Value) }

// Untreated returns the object that both releases accept: with the bystander's value, or
// without any.
func (h Hint) Untreated() (map[string]any, error) {
	if h.Bystander == nil {
		return h.with(nil)
	}
	return h.with(h.Bystander)
}

// with returns a copy of the hint's object that holds a value, unless it is nil.
func (h Hint) with(value any) (map[string]any, error) {
	object := map[string]any{}
	text, err := json.Marshal(h.Object)
	if err == nil && h.Object != nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		return nil, fmt.Errorf("hint for %s %s: %w", h.Kind, h.Path, err)
	}
	object["apiVersion"], object["kind"] = h.APIVersion, h.Kind
	if value == nil {
		return object, nil
	}
	parts := strings.Split(strings.ReplaceAll(strings.TrimPrefix(h.Path, "."), "[]", ".[]"), ".")
	if !put(object, parts, value) {
		return nil, fmt.Errorf("hint for %s %s: the object has no element to put the value into", h.Kind, h.Path)
	}
	return object, nil
}

// put sets a value at a path in every element of the lists and maps on the way, and reports
// whether there was any.
func put(node any, parts []string, value any) bool {
	if parts[0] == "[]" {
		return putInEach(node, parts[1:], value)
	}
	fields, is := node.(map[string]any)
	if !is {
		return false
	}
	name := parts[0]
	if len(parts) == 1 {
		fields[name] = value
		return true
	}
	if _, has := fields[name]; !has && parts[1] != "[]" {
		fields[name] = map[string]any{}
	}
	return put(fields[name], parts[1:], value)
}

func putInEach(node any, parts []string, value any) (done bool) {
	if len(parts) == 0 {
		return false // a hint names a field, not an element
	}
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			done = put(element, parts, value) || done
		}
	case map[string]any:
		for _, entry := range n {
			done = put(entry, parts, value) || done
		}
	}
	return done
}
