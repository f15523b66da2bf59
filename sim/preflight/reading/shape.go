package reading

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"

	"github.com/skewsim/skewsim/servers/template"
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

// made identifies the Pod that an object's template makes, by its namespace and its values without those of
// labels; "" if it makes none.
func (o object) made() string {
	made, _ := template.Of(o.body, o.Namespace)
	if made == nil {
		return ""
	}
	metadata, _ := made["metadata"].(map[string]any)
	delete(metadata, "labels")
	raw, _ := json.Marshal(made) // it came from JSON
	sum := sha256.Sum256(raw)
	return string(sum[:])
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
