package objects

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Schemas do not say which member of a union is required, what a schedule looks like, or
// that a name must be an address. An example shows it: an object of the kind in the
// release's own source.

// Examples are objects of a release's own source, by API version and resource:
// "example.dev/v1/gadgets".
type Examples map[string]json.RawMessage

// Of returns the example of a resource, in its own version or else in another of the group;
// nil without one.
func (e Examples) Of(apiVersion, plural string) map[string]any {
	for _, key := range append([]string{apiVersion + "/" + plural}, e.keysOf(apiVersion, plural)...) {
		var object map[string]any
		if raw, has := e[key]; has && utiljson.Unmarshal(raw, &object) == nil && object != nil {
			return object
		}
	}
	return nil
}

// keysOf returns the keys of a resource in every version of its group.
func (e Examples) keysOf(apiVersion, plural string) []string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	return slices.DeleteFunc(slices.Sorted(maps.Keys(e)), func(key string) bool {
		parts := strings.Split(key, "/")
		in := len(parts) == 2 && !grouped || len(parts) == 3 && grouped && parts[0] == group
		return !in || parts[len(parts)-1] != plural
	})
}

// overlay returns an example with the members of a generated object that the example lacks,
// also in the elements of its lists.
func overlay(example, generated map[string]any) map[string]any {
	all := Copy(example)
	for name, v := range generated {
		is, has := all[name]
		if !has {
			all[name] = v
			continue
		}
		all[name] = overlayValue(is, v)
	}
	return all
}

func overlayValue(is, generated any) any {
	switch is := is.(type) {
	case map[string]any:
		if more, same := generated.(map[string]any); same {
			return overlay(is, Copy(more))
		}
	case []any:
		more, same := generated.([]any)
		if !same || len(more) == 0 {
			return is
		}
		all := slices.Clone(is)
		for i := range all {
			all[i] = overlayValue(all[i], more[0])
		}
		return all
	}
	return is
}
