package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// shapes are the definitions that a release publishes of one group version.
type shapes struct {
	definitions map[string]*spec.Schema
}

// readShapes reads an OpenAPI v3 document that package schema has read before,
// and so found to be within bounds.
func readShapes(document []byte) (shapes, error) {
	var doc spec3.OpenAPI
	if err := json.Unmarshal(document, &doc); err != nil {
		return shapes{}, fmt.Errorf("openapi: %w", err)
	}
	if doc.Components == nil {
		return shapes{}, fmt.Errorf("openapi: the document has no components")
	}
	return shapes{doc.Components.Schemas}, nil
}

// root is the definition of a kind; nil when the document has none.
func (s shapes) root(apiVersion, kind string) *spec.Schema {
	for _, definition := range s.definitions {
		list, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
		if len(list) != 1 {
			continue
		}
		entry, _ := list[0].(map[string]any)
		group, _ := entry["group"].(string)
		version, _ := entry["version"].(string)
		if strings.TrimPrefix(group+"/"+version, "/") == apiVersion && entry["kind"] == kind {
			return definition
		}
	}
	return nil
}

// definitionPrefix is how a document refers to a definition of its own.
const definitionPrefix = "#/components/schemas/"

// maxReferences bounds how often a definition may lead to another at one place:
// a circle of them is no form at all.
const maxReferences = 20

// resolve follows references, and the allOf of one member that Kubernetes wraps
// them in, to what describes the value. The name is that of the last definition on
// the way, "" for what is inlined.
func (s shapes) resolve(at *spec.Schema) (resolved *spec.Schema, name string) {
	for range maxReferences {
		switch ref := at.Ref.String(); {
		case ref != "":
			name = strings.TrimPrefix(ref, definitionPrefix)
			if at = s.definitions[name]; at == nil {
				return nil, name
			}
		case len(at.AllOf) == 1 && len(at.Properties) == 0:
			at = &at.AllOf[0]
		default:
			return at, name
		}
	}
	return nil, name
}

// member is the form of what a value has under a token of a path: a member's name,
// or any element's index. Nil where the form has no place for it.
func (s shapes) member(at *spec.Schema, token string) *spec.Schema {
	if at == nil {
		return nil
	}
	at, _ = s.resolve(at)
	switch {
	case at == nil:
		return nil
	case at.Items != nil && at.Items.Schema != nil:
		return at.Items.Schema
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		return at.AdditionalProperties.Schema
	}
	if p, ok := at.Properties[token]; ok {
		return &p
	}
	return nil
}
