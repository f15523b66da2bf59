package published

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// served matches the paths of a resource: of its collection, of an object, and of a subresource.
var served = regexp.MustCompile(`^/(?:api|apis/([^/{}]+))/([^/{}]+)(/namespaces/\{namespace\})?/([^/{}]+)(/\{name\}(?:/([^{}]+))?)?$`)

// operation is what a path says of one method.
type operation struct {
	Action string `json:"x-kubernetes-action"`
	Of     struct {
		Group, Version, Kind string
	} `json:"x-kubernetes-group-version-kind"`
}

// verbs are the verbs of discovery by the actions of OpenAPI.
var verbs = map[string]string{
	"post": "create", "get": "get", "list": "list", "put": "update", "patch": "patch", "delete": "delete", "deletecollection": "deletecollection",
	"watch": "watch", "watchlist": "watch",
}

// resourcesIn returns the resources that the paths of a document serve.
func resourcesIn(paths map[string]json.RawMessage) ([]Resource, error) {
	all := map[string]*Resource{}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		at := served.FindStringSubmatch(path)
		if at == nil {
			continue
		}
		operations, err := operationsIn(paths[path])
		if err != nil {
			return nil, fmt.Errorf("path %s: %w", path, err)
		}
		if len(operations) == 0 {
			continue
		}
		apiVersion := strings.TrimPrefix(at[1]+"/"+at[2], "/")
		key := apiVersion + " " + at[4]
		if all[key] == nil {
			all[key] = &Resource{APIVersion: apiVersion, Plural: at[4]}
		}
		all[key].addPath(at, operations)
	}
	var found []Resource
	for _, key := range slices.Sorted(maps.Keys(all)) {
		slices.Sort(all[key].Verbs)
		found = append(found, *all[key])
	}
	return found, nil
}

// operationsIn returns the operations of a path that name the kind that they are of.
func operationsIn(path json.RawMessage) (all []operation, err error) {
	var methods map[string]json.RawMessage
	if err := json.Unmarshal(path, &methods); err != nil {
		return nil, err
	}
	for _, method := range []string{"get", "put", "post", "delete", "patch"} {
		var o operation
		if len(methods[method]) == 0 {
			continue
		}
		if err := json.Unmarshal(methods[method], &o); err != nil {
			return nil, err
		}
		if o.Of.Kind != "" {
			all = append(all, o)
		}
	}
	return all, nil
}

// addPath adds one path of a resource. The kind of a subresource may be another one.
func (r *Resource) addPath(at []string, operations []operation) {
	r.Namespaced = r.Namespaced || at[3] != ""
	if sub := at[6]; sub != "" {
		r.Subresources = append(r.Subresources, sub)
		return
	}
	for _, o := range operations {
		r.Kind = o.Of.Kind
		if verb := verbs[o.Action]; verb != "" && !slices.Contains(r.Verbs, verb) {
			r.Verbs = append(r.Verbs, verb)
		}
	}
}
