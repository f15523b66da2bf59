package intake

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/servers/objects"
)

// Ranks order what is created. What others need comes first, and what refuses others comes last: in a
// cluster the objects of manifests come one by one over months, so none of them was ever refused by a
// quota or policy that came later.
const (
	rankDefinition = iota
	rankNamespace
	rankClass
	rankObject
	rankLimit
	rankPolicy
	rankBinding
	ranks
)

// rankOf returns the rank of a kind.
func rankOf(group, kind string) int {
	switch group + " " + kind {
	case "apiextensions.k8s.io CustomResourceDefinition":
		return rankDefinition
	case " Namespace":
		return rankNamespace
	case "scheduling.k8s.io PriorityClass", "node.k8s.io RuntimeClass", "storage.k8s.io StorageClass", "networking.k8s.io IngressClass", "networking.k8s.io ServiceCIDR":
		return rankClass
	case " LimitRange", " ResourceQuota":
		return rankLimit
	}
	switch {
	case group != "admissionregistration.k8s.io":
		return rankObject
	case strings.HasSuffix(kind, "Binding"):
		return rankBinding
	}
	return rankPolicy
}

// needed are the objects that others name and that servers refuse them without: namespaces, and the
// classes of Pods. A cluster has them, although these manifests may not.
type needed map[string]objects.Object // by kind and name

// note notes what an object needs.
func (n needed) note(o objects.Object) {
	if o.Namespace != "" {
		n.add("v1", "Namespace", o.Namespace, nil)
	}
	var body map[string]any
	if utiljson.Unmarshal(o.Body, &body) == nil {
		n.classes(body)
	}
}

// classes notes the classes that Pods and their templates name, wherever a kind has these.
func (n needed) classes(node any) {
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

func (n needed) add(apiVersion, kind, name string, with map[string]any) {
	body := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}
	maps.Copy(body, with)
	raw, err := json.Marshal(body)
	if _, has := n[kind+" "+name]; !has && err == nil {
		n[kind+" "+name] = objects.Object{APIVersion: apiVersion, Kind: kind, Name: name, Body: raw}
	}
}

// without returns what is needed and not among those that were created.
func (n needed) without(created []*declared) (all []objects.Object) {
	for _, c := range created {
		if c.created() {
			delete(n, c.Kind+" "+c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		all = append(all, n[name])
	}
	return all
}
