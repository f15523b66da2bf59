package reading

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// Shape identifies the form of an object without its values: the kind, the paths of its fields,
// the lengths of its lists rounded up to powers of two, and who manages its fields. Objects of equal
// shape may have other values.
func Shape(kind string, object map[string]any) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", kind)
	write(sum, "", object)
	return string(sum.Sum(nil))
}

// visibleShape is the Shape of what a release's own validation can see of an object: all but who manages its fields, and
// labels and annotations with a domain that is not Kubernetes' own. Admission policies of users see these too. In which versions
// fields are managed stays: a release converts them.
func visibleShape(kind string, object map[string]any) string {
	visible, metadata := maps.Clone(object), maps.Clone(metadataOf(object))
	managers, _ := metadata["managedFields"].([]any)
	delete(metadata, "managedFields")
	for _, m := range managers {
		if entry, is := m.(map[string]any); is {
			metadata[fmt.Sprint("managed in ", entry["apiVersion"])] = true
		}
	}
	for _, name := range []string{"labels", "annotations"} {
		if all, is := metadata[name].(map[string]any); is {
			all = maps.Clone(all)
			maps.DeleteFunc(all, func(key string, _ any) bool { return isForeign(key) })
			if metadata[name] = all; len(all) == 0 {
				delete(metadata, name)
			}
		}
	}
	visible["metadata"] = metadata
	return Shape(kind, visible)
}

// isForeign reports whether the key of a label or an annotation has a domain that is not Kubernetes' own.
func isForeign(key string) bool {
	domain, _, has := strings.Cut(key, "/")
	return has && !slices.ContainsFunc([]string{"kubernetes.io", "k8s.io"}, func(own string) bool {
		return domain == own || strings.HasSuffix(domain, "."+own)
	})
}

func write(to io.Writer, at string, node any) {
	switch n := node.(type) {
	case map[string]any:
		if len(n) == 0 {
			fmt.Fprintf(to, "%s {}\n", at)
		}
		for _, name := range slices.Sorted(maps.Keys(n)) {
			if at == ".metadata" && name == "managedFields" {
				writeManagers(to, n[name])
				continue
			}
			write(to, at+"."+name, n[name])
		}
	case []any:
		fmt.Fprintf(to, "%s[%d]\n", at, bits.Len(uint(len(n))))
		for _, element := range n {
			write(to, at+"[]", element)
		}
	default:
		fmt.Fprintf(to, "%s %T\n", at, n)
	}
}

// writeManagers writes the names of managers, and how they wrote.
func writeManagers(to io.Writer, entries any) {
	list, _ := entries.([]any)
	for _, e := range list {
		if entry, is := e.(map[string]any); is {
			fmt.Fprintf(to, "%v %v %v\n", entry["manager"], entry["operation"], entry["subresource"])
		}
	}
}
