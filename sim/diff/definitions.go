package diff

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// definitions are the published types of a release, by name.
type definitions map[string]*spec.Schema

// definitionPrefix is the prefix of references to definitions of the same document.
const definitionPrefix = "#/components/schemas/"

// maxReferences bounds the references that are followed at one place: a circle of definitions
// describes no value.
const maxReferences = 20

// resolve follows references, and the single-member allOf that Kubernetes wraps them in. It
// returns all schemas on the way, that of the value last, and the name of the last definition, ""
// for an inlined schema. It returns no schema if a reference leads nowhere.
func (d definitions) resolve(at *spec.Schema) (chain []*spec.Schema, name string) {
	for range maxReferences {
		if at == nil {
			return nil, name
		}
		chain = append(chain, at)
		switch ref := at.Ref.String(); {
		case ref != "":
			name = strings.TrimPrefix(ref, definitionPrefix)
			at = d[name]
		case len(at.AllOf) == 1 && len(at.Properties) == 0 && at.AllOf[0].Ref.String() != "":
			at = &at.AllOf[0]
		default:
			return chain, name
		}
	}
	return nil, name
}

// kindOf reads the extension that ties a definition to its group, version and kind. Definitions
// with several (DeleteOptions) are options of requests.
func kindOf(s *spec.Schema) (versionKind, bool) {
	list, _ := s.Extensions["x-kubernetes-group-version-kind"].([]any)
	if len(list) != 1 {
		return versionKind{}, false
	}
	entry, _ := list[0].(map[string]any)
	group, _ := entry["group"].(string)
	version, _ := entry["version"].(string)
	kind, _ := entry["kind"].(string)
	return versionKind{strings.TrimPrefix(group+"/"+version, "/"), kind}, kind != ""
}

// isList reports whether a definition is that of a list of objects.
func isList(at versionKind, s *spec.Schema) bool {
	_, has := s.Properties["items"]
	return has && strings.HasSuffix(at.kind, "List")
}
