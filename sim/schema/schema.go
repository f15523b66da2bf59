package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
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
	stages map[gated][]Lifecycle
	unions map[gated]bool
}

// Parse reads OpenAPI v3 documents, one for each group version.
func Parse(documents [][]byte) (*Schema, error) {
	s := &Schema{kinds: map[groupVersionKind]Kind{}}
	for _, doc := range documents {
		if err := s.add(doc); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Schema) add(document []byte) error {
	definitions, err := definitionsOf(document)
	if err != nil {
		return err
	}
	converted, err := schemaconv.ToSchemaFromOpenAPI(definitions, false)
	if err != nil {
		return fmt.Errorf("openapi: %w", err)
	}
	needed, stages, unions := gatesOf(definitions), stagesOf(definitions), unionsOf(definitions)
	for name, definition := range definitions {
		for _, gvk := range declaredKinds(definition) {
			s.kinds[gvk] = Kind{schema: converted, root: smd.TypeRef{NamedType: &name}, gates: needed, stages: stages, unions: unions}
		}
	}
	return nil
}

// definitionsOf reads what a document defines, by name.
func definitionsOf(document []byte) (map[string]*spec.Schema, error) {
	if err := checkBounds(document); err != nil {
		return nil, err
	}
	var doc spec3.OpenAPI
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("openapi: %s", oneVoice.Replace(err.Error()))
	}
	if doc.Components == nil {
		return nil, fmt.Errorf("openapi: the document has no components")
	}
	for name, definition := range doc.Components.Schemas {
		if definition == nil {
			return nil, fmt.Errorf("openapi: definition %q is null", name)
		}
	}
	return doc.Components.Schemas, nil
}

// oneVoice has an error say the same in every process: the parser says "cannot" in one
// and "unable to" in another, so that nobody relies on its words.
var oneVoice = strings.NewReplacer("json: unable to ", "json: cannot ")

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

// declaredKinds reads the extension by which Kubernetes ties a definition to
// its group, version and kind. Definitions without it are parts of others;
// those with several (DeleteOptions) are no kinds that anyone stores.
func declaredKinds(definition *spec.Schema) []groupVersionKind {
	list, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
	if len(list) != 1 {
		return nil
	}
	entry, _ := list[0].(map[string]any)
	group, _ := entry["group"].(string)
	version, _ := entry["version"].(string)
	kind, _ := entry["kind"].(string)
	return []groupVersionKind{{strings.TrimPrefix(group+"/"+version, "/"), kind}}
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
