package snapshot

import (
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
)

// ParseKey returns what the key of a value says about the object, without reading the value. A
// key does not say which built-in group a resource belongs to: that is known for resources of
// Kubernetes, and "" for others, such as those of OpenShift. A key with one segment after the
// resource has no namespace. Everything is "" for a key that is not under the prefix.
func ParseKey(prefix, key string) (group, resource, namespace, name string) {
	rest, under := strings.CutPrefix(key, strings.TrimSuffix(prefix, "/")+"/")
	if !under {
		return "", "", "", ""
	}
	first, rest, _ := strings.Cut(rest, "/")
	second, below, _ := strings.Cut(rest, "/")
	switch {
	case strings.Contains(first, "."): // a group of custom resources, or of aggregation
		group, resource, rest = first, second, below
	case first == "services" && (second == "specs" || second == "endpoints"):
		resource, rest = stored(first+"/"+second), below
	default:
		resource = stored(first)
		group = groups()[resource]
	}
	namespace, name, namespaced := strings.Cut(rest, "/")
	if !namespaced {
		namespace, name = "", rest
	}
	return group, resource, namespace, name
}

// renamed are the resources that are stored under an older name, by the beginning of their keys.
func renamed() map[string]string {
	return map[string]string{
		"minions": "nodes", "controllers": "replicationcontrollers", "ingress": "ingresses", "services/specs": "services", "services/endpoints": "endpoints",
	}
}

// stored returns the resource that is stored under a segment.
func stored(segment string) string {
	if resource, is := renamed()[segment]; is {
		return resource
	}
	return segment
}

// Below returns what the keys of a resource of Kubernetes begin with, after the prefix of all keys: the
// resource, or the older name that a few keep.
func Below(resource string) string {
	for segment, of := range renamed() {
		if of == resource {
			return segment
		}
	}
	return resource
}

// groups maps the resources of Kubernetes to the groups that they are stored as.
var groups = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for kind := range scheme.Scheme.AllKnownTypes() {
		switch kind.Group {
		case "extensions", "events.k8s.io": // stored as networking.k8s.io and the core group
			continue
		}
		resource, _ := meta.UnsafeGuessKindToResource(kind)
		if group, known := all[resource.Resource]; !known || kind.Group < group {
			all[resource.Resource] = kind.Group
		}
	}
	all["endpointslices"] = "discovery.k8s.io"
	return all
})
