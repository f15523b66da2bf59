package reading

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
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
