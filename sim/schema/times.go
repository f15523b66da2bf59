package schema

import (
	"strings"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// ForgetTimes puts true in the place of every value that the kind publishes as
// a time: two objects that differ in nothing but when things happened are then
// equal, and that something has happened still shows. It changes the object.
func (k Kind) ForgetTimes(object map[string]any) { k.forget(object, k.root, 0) }

// forget goes through a value, and returns what is to stand in its place.
func (k Kind) forget(v any, ref smd.TypeRef, depth int) any {
	atom, name, known := k.resolve(ref)
	switch t := v.(type) {
	case string:
		if isTime(name) {
			return true
		}
	case map[string]any:
		if known && atom.Map != nil && depth < maxDepth {
			for key, member := range t {
				t[key] = k.forget(member, typeOf(atom.Map, key), depth+1)
			}
		}
	case []any:
		if known && atom.List != nil && depth < maxDepth {
			for i, item := range t {
				t[i] = k.forget(item, atom.List.ElementType, depth+1)
			}
		}
	}
	return v
}

func typeOf(m *smd.Map, key string) smd.TypeRef {
	ref, _ := member(m, key)
	return ref
}

// isTime reports whether a definition is one of apimachinery's times.
func isTime(name string) bool {
	return strings.HasSuffix(name, timeType) || strings.HasSuffix(name, microTimeType)
}
