package client

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// completeKeys writes out the keys that a path gives and the element it means
// leaves to their defaults: a port 80 without a protocol is the path's
// [containerPort=80,protocol="TCP"] when no other element could be. Without
// that, a change of that port would add a second one.
func completeKeys(object map[string]any, p fieldpath.Path) {
	for i, e := range p {
		if e.Key == nil {
			continue
		}
		if _, here := path.Get(object, p[:i+1]); here {
			continue
		}
		v, _ := path.Get(object, p[:i])
		list, _ := v.([]any)
		if element := onlyMatch(list, e); element != nil {
			for _, key := range *e.Key {
				element[key.Name] = key.Value.Unstructured()
			}
		}
	}
}

// onlyMatch returns the one element that has at least one of the keys, and no key with another
// value. With two such elements the match is ambiguous.
func onlyMatch(list []any, e fieldpath.PathElement) map[string]any {
	var match map[string]any
	for _, item := range list {
		element, ok := item.(map[string]any)
		if !ok || !couldBe(element, e) {
			continue
		}
		if match != nil {
			return nil
		}
		match = element
	}
	return match
}

func couldBe(element map[string]any, e fieldpath.PathElement) bool {
	some := false
	for _, key := range *e.Key {
		if element[key.Name] == nil {
			continue
		}
		one := fieldpath.Path{{FieldName: &key.Name}}
		v, _ := path.Get(element, one)
		if !slices.Equal(keyText(key.Name, v), keyText(key.Name, key.Value.Unstructured())) {
			return false
		}
		some = true
	}
	return some
}

// keyText spells a key as paths do, so that 80 and 80.0 are one.
func keyText(name string, v any) []string {
	return []string{path.String(fieldpath.Path{fieldpath.KeyElementByFields(name, v)})}
}
