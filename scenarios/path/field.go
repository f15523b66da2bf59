package path

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Field returns the published field at a path, without the keys of lists:
// .spec.containers[].image.
func Field(p fieldpath.Path) string {
	var b strings.Builder
	for _, e := range p {
		if e.FieldName == nil {
			b.WriteString("[]")
			continue
		}
		b.WriteString(String(fieldpath.Path{e}))
	}
	return b.String()
}
