package cluster

import "strings"

// The ranks order what is created. What others need comes first, and what refuses others comes last: in a
// cluster the objects of manifests come one by one over months, so none of them was ever refused by a
// quota or policy that came later.
const (
	Definitions = iota // of custom resources
	Namespaces
	NamedByPods // and by volumes and Ingresses: their classes
	Plain
	Limits
	Policies
	Bindings // of policies
	Ranks    // how many there are
)

// Rank returns the rank of a kind.
func Rank(group, kind string) int {
	switch group + " " + kind {
	case "apiextensions.k8s.io CustomResourceDefinition":
		return Definitions
	case " Namespace":
		return Namespaces
	case "scheduling.k8s.io PriorityClass", "node.k8s.io RuntimeClass", "storage.k8s.io StorageClass", "networking.k8s.io IngressClass", "networking.k8s.io ServiceCIDR":
		return NamedByPods
	case " LimitRange", " ResourceQuota":
		return Limits
	}
	switch {
	case group != "admissionregistration.k8s.io":
		return Plain
	case strings.HasSuffix(kind, "Binding"):
		return Bindings
	}
	return Policies
}
