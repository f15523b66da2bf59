package examples

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
)

// All are the examples of a release from every source in its module.
type All struct {
	Stubs     Stubs
	Manifests Manifests
}

// ReadAll reads the examples of the module k8s.io/kubernetes in a folder, put into a namespace.
func ReadAll(folder, namespace string) (All, error) {
	stubs, err := ReadStubs(folder, namespace)
	return All{Stubs: stubs, Manifests: ReadManifests(folder, namespace)}, err
}

// maxManifests is how many manifests of a kind are returned: the smallest, and the largest,
// which has the most fields.
const maxManifests = 5

// Of returns the examples of a resource, best first: the object of the storage path test, the
// same with its other values and its status, then manifests. They have apiVersion and kind.
func (a All) Of(apiVersion, plural, kind string) (all []map[string]any) {
	if stub, has := a.Stubs[apiVersion+"/"+plural]; has {
		first := decode(stub.Object)
		all = append(all, first)
		if more := merged(merged(first, decode(stub.Mutated)), decode(stub.Status)); stub.Mutated != nil || stub.Status != nil {
			all = append(all, more)
		}
	}
	of := a.Manifests[apiVersion+" "+kind]
	for i, text := range of {
		if i < maxManifests-1 || i == len(of)-1 {
			all = append(all, decode(text))
		}
	}
	for _, object := range all {
		object["apiVersion"], object["kind"] = apiVersion, kind
	}
	return all
}

func decode(text json.RawMessage) map[string]any {
	object := map[string]any{}
	_ = json.Unmarshal(text, &object) // what was read is valid
	return object
}

// merged returns an object with the members of a patch.
func merged(object, patch map[string]any) map[string]any {
	all := runtime.DeepCopyJSON(object)
	for name, v := range patch {
		is, both := all[name].(map[string]any)
		if more, also := v.(map[string]any); both && also {
			all[name] = merged(is, more)
			continue
		}
		all[name] = v
	}
	return all
}
