package schema

import (
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// keepOwn corrects converted types: the conversion has each struct within one that preserves unknown
// fields preserve them too. Servers prune such a struct by what it declares itself.
//
// The conversion also takes an object that declares nothing for free-form. Among Go types it is: a
// RawExtension is published so. In a custom resource servers prune all that such an object contains.
func keepOwn(definitions map[string]*spec.Schema, converted *smd.Schema) {
	for i := range converted.Types {
		name := converted.Types[i].Name
		if definition := definitions[name]; definition != nil {
			keepOwnOf(definition, &converted.Types[i].Atom, isCustom(name, definition))
		}
	}
}

// isCustom reports whether a server made a definition from a CustomResourceDefinition: its name
// is then that of its group, version and kind. Other names are those of Go types.
func isCustom(name string, definition *spec.Schema) bool {
	gvk, is := declared(definition.Extensions)
	return is && name == util.ToRESTFriendlyName(gvk.apiVersion+"."+gvk.kind)
}

func keepOwnOf(of *spec.Schema, atom *smd.Atom, custom bool) {
	if of == nil {
		return
	}
	if atom.Map != nil {
		if keepsOwn(of, custom) {
			atom.Map.ElementType = smd.TypeRef{}
		}
		for i := range atom.Map.Fields {
			property, declared := of.Properties[atom.Map.Fields[i].Name]
			if declared && atom.Map.Fields[i].Type.NamedType == nil {
				keepOwnOf(&property, &atom.Map.Fields[i].Type.Inlined, custom)
			}
		}
		if of.AdditionalProperties != nil && atom.Map.ElementType.NamedType == nil {
			keepOwnOf(of.AdditionalProperties.Schema, &atom.Map.ElementType.Inlined, custom)
		}
	}
	if atom.List != nil && of.Items != nil && atom.List.ElementType.NamedType == nil {
		keepOwnOf(of.Items.Schema, &atom.List.ElementType.Inlined, custom)
	}
}

// keepsOwn reports whether an object has no members but those that it declares. A kind without any is
// published so when its schema is not known.
func keepsOwn(of *spec.Schema, custom bool) bool {
	_, isKind := declared(of.Extensions)
	declares := len(of.Properties) > 0 || custom && !isKind && of.Type.Contains("object")
	return declares && of.AdditionalProperties == nil && of.Extensions[preservesUnknown] != true
}
