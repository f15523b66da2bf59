package source

import (
	"regexp"
	"slices"
	"strings"
)

// Tags are the gates of fields, by the name under which OpenAPI publishes the type, then
// by the field's name in JSON. Their JSON is what package schema of the simulator reads.
type Tags map[string]map[string]Tag

// Tag is what the source says of one field.
type Tag struct {
	// Gates are those that the field is behind, all of them.
	Gates []string `json:"gates,omitempty"`
	// Values are the gates of single values that the field may have.
	Values map[string][]string `json:"values,omitempty"`
}

// marker begins the tag. tag finds its gates: one, or several with commas between them.
// Other tags, and words, may follow on the line.
const marker = "+featureGate="

var tag = regexp.MustCompile(`^\+featureGate=\s*([A-Z]\w*(?:\s*,\s*[A-Z]\w*)*)`)

// gatesIn are the gates that the lines of a comment name, each once and sorted.
func gatesIn(comment string) []string {
	var all []string
	for line := range strings.Lines(comment) {
		if m := tag.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			for name := range strings.SplitSeq(m[1], ",") {
				all = append(all, strings.TrimSpace(name))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// definition is the name under which OpenAPI publishes a type of a Go package:
// io.k8s.api.core.v1.Pod of k8s.io/api/core/v1.
func definition(pkg, name string) string {
	host, rest, _ := strings.Cut(pkg, "/")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	parts := labels
	if rest != "" {
		parts = append(parts, strings.Split(rest, "/")...)
	}
	return strings.Join(append(parts, name), ".")
}
