package cluster

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Needs are the objects that others name and that servers refuse them without: namespaces, and the
// classes of Pods. A cluster has them, although manifests may not. By kind and name.
type Needs map[string]Object

// Note notes what an object needs.
func (n Needs) Note(o Object) {
	if o.Namespace != "" {
		n.add("v1", "Namespace", o.Namespace, nil)
	}
	var body map[string]any
	if utiljson.Unmarshal(o.Body, &body) == nil {
		n.classes(body)
	}
}

// classes notes the classes that Pods and their templates name, wherever a kind has these.
func (n Needs) classes(node any) {
	switch v := node.(type) {
	case map[string]any:
		if name, _ := v["priorityClassName"].(string); name != "" && !strings.HasPrefix(name, "system-") { // servers make these
			class := map[string]any{"value": 0}
			for from, to := range map[string]string{"priority": "value", "preemptionPolicy": "preemptionPolicy"} {
				if v[from] != nil { // a Pod of another value is refused
					class[to] = v[from]
				}
			}
			n.add("scheduling.k8s.io/v1", "PriorityClass", name, class)
		}
		if name, _ := v["runtimeClassName"].(string); name != "" {
			class := map[string]any{"handler": "none"}
			if v["overhead"] != nil {
				class["overhead"] = map[string]any{"podFixed": v["overhead"]}
			}
			n.add("node.k8s.io/v1", "RuntimeClass", name, class)
		}
		for _, below := range v {
			n.classes(below)
		}
	case []any:
		for _, below := range v {
			n.classes(below)
		}
	}
}

func (n Needs) add(apiVersion, kind, name string, with map[string]any) {
	body := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}
	maps.Copy(body, with)
	raw, err := json.Marshal(body)
	if _, has := n[kind+" "+name]; !has && err == nil {
		n[kind+" "+name] = Object{APIVersion: apiVersion, Kind: kind, Name: name, Body: raw}
	}
}

// Without returns what is needed and for which has does not report that it is there.
func (n Needs) Without(has func(kind, name string) bool) (all []Object) {
	for _, name := range slices.Sorted(maps.Keys(n)) {
		if o := n[name]; !has(o.Kind, o.Name) {
			all = append(all, o)
		}
	}
	return all
}

// Unused returns the status that its controller gives a quota with nothing counted, as a merge patch; nil
// for any other object. Without a status, servers refuse whatever a quota limits.
func Unused(o Object) []byte {
	var quota struct{ Spec struct{ Hard map[string]any } }
	if o.Group() != "" || o.Kind != "ResourceQuota" || json.Unmarshal(o.Body, &quota) != nil {
		return nil
	}
	used := map[string]any{}
	for name := range quota.Spec.Hard {
		used[name] = "0"
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"hard": quota.Spec.Hard, "used": used}})
	if err != nil {
		return nil
	}
	return patch
}
