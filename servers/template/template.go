package template

import (
	"net/url"
	"strings"
)

// Of returns the Pod that the template of an object makes, and the path of the collection that it
// is created in; nil if the object has no template.
func Of(object map[string]any, namespace string) (pod map[string]any, path string) {
	of := within(object, "spec", "template")
	if of == nil {
		of = within(object, "spec", "jobTemplate", "spec", "template")
	}
	spec := within(of, "spec")
	if spec == nil || spec["containers"] == nil || namespace == "" {
		return nil, ""
	}
	metadata := map[string]any{"generateName": "skewsim-preflight-", "namespace": namespace}
	for _, name := range []string{"labels", "annotations"} {
		if values := within(of, "metadata", name); values != nil {
			metadata[name] = values
		}
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}, "/api/v1/namespaces/" + url.PathEscape(namespace) + "/pods"
}

// within returns the object at a path; nil if it has none.
func within(object map[string]any, names ...string) map[string]any {
	for _, name := range names {
		object, _ = object[name].(map[string]any)
	}
	return object
}

// Path is the path of the template that pods are made from.
const Path = ".spec.template"

// Within reports whether a path is that of a template, or within one.
func Within(path string) bool { return path == Path || strings.HasPrefix(path, Path+".") }

// RevisionOf returns whose template a stored revision keeps, as NAMESPACE/KIND/NAME; "" if the
// object is no revision. Controllers compare a revision with the template as it is served now, and
// replace pods if they differ.
func RevisionOf(object map[string]any, namespace string) string {
	if within(object, "data", "spec", "template") == nil {
		return ""
	}
	owners, _ := within(object, "metadata")["ownerReferences"].([]any)
	for _, o := range owners {
		if owner, is := o.(map[string]any); is && owner["controller"] == true {
			kind, _ := owner["kind"].(string)
			name, _ := owner["name"].(string)
			return namespace + "/" + kind + "/" + name
		}
	}
	return ""
}
