package schema

import (
	"k8s.io/kube-openapi/pkg/validation/spec"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// keepOwn corrects converted types: the conversion has each struct within one that preserves unknown
// fields preserve them too. Servers prune such a struct by what it declares itself.
func keepOwn(definitions map[string]*spec.Schema, converted *smd.Schema) {
	for i := range converted.Types {
		if definition := definitions[converted.Types[i].Name]; definition != nil {
			keepOwnOf(definition, &converted.Types[i].Atom)
		}
	}
}

func keepOwnOf(of *spec.Schema, atom *smd.Atom) {
	if of == nil {
		return
	}
	if atom.Map != nil {
		if len(of.Properties) > 0 && of.AdditionalProperties == nil && of.Extensions["x-kubernetes-preserve-unknown-fields"] != true {
			atom.Map.ElementType = smd.TypeRef{}
		}
		for i := range atom.Map.Fields {
			property, declared := of.Properties[atom.Map.Fields[i].Name]
			if declared && atom.Map.Fields[i].Type.NamedType == nil {
				keepOwnOf(&property, &atom.Map.Fields[i].Type.Inlined)
			}
		}
		if of.AdditionalProperties != nil && atom.Map.ElementType.NamedType == nil {
			keepOwnOf(of.AdditionalProperties.Schema, &atom.Map.ElementType.Inlined)
		}
	}
	if atom.List != nil && of.Items != nil && atom.List.ElementType.NamedType == nil {
		keepOwnOf(of.Items.Schema, &atom.List.ElementType.Inlined)
	}
}
