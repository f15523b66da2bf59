package objects

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/schema"
)

// Definitions are the schemas that a release publishes of one group version.
type Definitions struct {
	byName map[string]*spec.Schema
	// wide are the definitions as the release publishes them, if others have narrowed them.
	wide map[string]*spec.Schema
}

// ReadDefinitions reads an OpenAPI v3 document. Whoever reads the same one shares them, and nobody
// changes them.
func ReadDefinitions(document []byte) (Definitions, error) {
	read, err := schema.Read(document)
	if err != nil {
		return Definitions{}, err
	}
	return Definitions{byName: read.Definitions}, nil
}

// Kind is the schema that a release publishes for one kind in one version.
type Kind struct {
	APIVersion, Name string
	// Subresources are the members that are not sent with the object: servers clear them on
	// create.
	Subresources []string

	definitions Definitions
	root        *spec.Schema
}

// Kind returns the schema of a kind; false if the document has none.
func (d Definitions) Kind(apiVersion, name string, subresources []string) (Kind, bool) {
	root := d.root(apiVersion, name)
	return Kind{apiVersion, name, subresources, d, root}, root != nil
}

// root returns the schema of a kind; nil if the document has none.
func (d Definitions) root(apiVersion, kind string) *spec.Schema {
	for _, definition := range d.byName {
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

// definitionPrefix is the prefix of references to definitions of the same document.
const definitionPrefix = "#/components/schemas/"

// maxReferences bounds the references that are followed at one place: a circle of
// definitions describes no value.
const maxReferences = 20

// Resolve follows references, and the single-member allOf that Kubernetes wraps them in, to
// the schema of the value. The name is that of the last definition on the way, "" for an
// inlined schema.
func (d Definitions) Resolve(at *spec.Schema) (resolved *spec.Schema, name string) {
	for range maxReferences {
		switch ref := at.Ref.String(); {
		case ref != "":
			name = strings.TrimPrefix(ref, definitionPrefix)
			if at = d.byName[name]; at == nil {
				return nil, name
			}
		case len(at.AllOf) == 1 && len(at.Properties) == 0 && at.AllOf[0].Ref.String() != "":
			at = &at.AllOf[0]
		default:
			return at, name
		}
	}
	return nil, name
}

// Member returns the schema of the value at a token of a location: the name of a member, or
// any index of an element. It returns nil if the schema has no such member.
func (d Definitions) Member(at *spec.Schema, token string) *spec.Schema {
	if at == nil {
		return nil
	}
	at, _ = d.Resolve(at)
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

// SchemaAt returns the published schema of the value at a location, and whether its
// container requires it.
func (k Kind) SchemaAt(object map[string]any, l Location) (at *spec.Schema, required bool) {
	at = k.root
	for i, token := range l {
		holder, _ := k.definitions.Resolve(at)
		if holder == nil {
			return nil, false
		}
		required = slices.Contains(holder.Required, token)
		if list, _ := Get(object, l[:i]); holder.Items != nil && list != nil {
			elements, _ := list.([]any)
			required = holder.MinItems != nil && int64(len(elements)) <= *holder.MinItems
		}
		if at = k.definitions.Member(at, token); at == nil {
			return nil, false
		}
	}
	return at, required
}

// Without returns a copy of an object without the value at a location; false if there is no
// value, or the object requires it.
func (k Kind) Without(object map[string]any, l Location) (map[string]any, bool) {
	smaller := Copy(object)
	if _, required := k.SchemaAt(object, l); required || !Drop(smaller, l) {
		return nil, false
	}
	return smaller, true
}
