package schema

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// quantityPattern begins the pattern that tools write for a quantity in a custom resource, whose schema
// cannot name the type.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|`

// spelledOf reads where custom resources have quantities and times, by what their schemas say of them
// instead of a definition's name.
func spelledOf(definitions map[string]*spec.Schema) map[gated]string {
	found := map[gated]string{}
	note := func(at gated, s *spec.Schema) {
		switch {
		case s.Extensions[intOrString] == true && strings.HasPrefix(s.Pattern, quantityPattern):
			found[at] = quantityType
		case len(s.Type) == 1 && s.Type[0] == "string" && s.Format == "date-time":
			found[at] = microTimeType
		}
	}
	eachField(definitions, func(at gated, s *spec.Schema) {
		note(at, s)
		members := gated{at.definition, at.place + "[]"}
		if s.Items != nil && s.Items.Schema != nil {
			note(members, s.Items.Schema)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			note(members, s.AdditionalProperties.Schema)
		}
	})
	return found
}
