package schema

import (
	"maps"
	"strings"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Schema is what one release publishes of some group versions.
type Schema struct {
	kinds map[groupVersionKind]Kind
}

type groupVersionKind struct{ apiVersion, kind string }

// Kind is one kind's published form.
type Kind struct {
	schema *smd.Schema
	root   smd.TypeRef
	gates  gates
	values valueGates
	tags   Tags
	stages map[gated][]Lifecycle
	unions map[gated]bool
	enums  map[gated][]any
	nulls  map[gated]bool
	// spelled are the types of custom resources whose values have several spellings.
	spelled map[gated]string
	types   map[gated]jsonType
}

// Parse reads OpenAPI v3 documents, one for each group version.
func Parse(documents [][]byte) (*Schema, error) {
	s := &Schema{kinds: map[groupVersionKind]Kind{}}
	for _, raw := range documents {
		document, err := Read(raw)
		if err != nil {
			return nil, err
		}
		kinds, err := document.kinds()
		if err != nil {
			return nil, err
		}
		maps.Copy(s.kinds, kinds)
	}
	return s, nil
}

// GroupOf is the group of an apiVersion: apps of apps/v1, "" of v1.
func GroupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// Kind returns a kind by its apiVersion, such as apps/v1, and name. A nil
// Schema has none.
func (s *Schema) Kind(apiVersion, kind string) (Kind, bool) {
	if s == nil {
		return Kind{}, false
	}
	k, ok := s.kinds[groupVersionKind{apiVersion, kind}]
	return k, ok
}

// resolve finds a type's definition and its name, "" when it is inlined.
func (k Kind) resolve(ref smd.TypeRef) (smd.Atom, string, bool) {
	if k.schema == nil || ref == (smd.TypeRef{}) {
		return smd.Atom{}, "", false
	}
	atom, ok := k.schema.Resolve(ref)
	name := ""
	if ref.NamedType != nil {
		name = *ref.NamedType
	}
	return atom, name, ok
}

// member returns the type of a map's or struct's member, and whether the
// schema declares it.
func member(m *smd.Map, key string) (smd.TypeRef, bool) {
	if m == nil {
		return smd.TypeRef{}, false
	}
	if field, ok := m.FindField(key); ok {
		return field.Type, true
	}
	return m.ElementType, m.ElementType != (smd.TypeRef{})
}
