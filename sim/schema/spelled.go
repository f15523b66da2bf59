package schema

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// quantityPattern begins the pattern that tools write for a quantity in a custom resource, whose schema
// cannot name the type.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|`

// spelledOf reads where custom resources have quantities and times, by what their schemas say of them
// instead of a definition's name.
func spelledOf(definitions map[string]*spec.Schema) map[gated]string {
	found := map[gated]string{}
	eachValue(definitions, func(at gated, s *spec.Schema) {
		switch {
		case s.Extensions[intOrString] == true && strings.HasPrefix(s.Pattern, quantityPattern):
			found[at] = quantityType
		case len(s.Type) == 1 && s.Type[0] == "string" && s.Format == "date-time":
			found[at] = microTimeType
		}
	})
	return found
}

// spelledAt returns the type of the values at a path that have several spellings; "": they have one.
func (k Kind) spelledAt(p fieldpath.Path) string {
	if len(k.spelled) == 0 || len(p) == 0 {
		return ""
	}
	along := k.along(p)
	if len(along) < len(p) {
		return ""
	}
	return k.spelled[along[len(along)-1]]
}
