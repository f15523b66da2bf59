package template

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Ephemeral reports whether an object expires, or is made anew by what owns it: a ReplicaSet only as
// long as it has no Pods.
func Ephemeral(group, kind string, object map[string]any) bool {
	switch kind {
	case "Event":
		return group == "" || group == "events.k8s.io"
	case "Lease":
		return group == "coordination.k8s.io"
	case "EndpointSlice":
		return group == "discovery.k8s.io"
	case "ReplicaSet":
		replicas, found, err := unstructured.NestedInt64(object, "spec", "replicas")
		return group == "apps" && found && err == nil && replicas == 0
	}
	return false
}
