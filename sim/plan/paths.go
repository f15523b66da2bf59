package plan

import (
	"cmp"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Part is the subresource that the step writes, "" for the whole object.
func (s Step) Part() string { return cmp.Or(s.Subresource, s.Verb.Subresource()) }

// LabelPath is what touching a label names.
func LabelPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("metadata", "labels", TouchLabel)
}

// ConditionPath is what touching a condition names: the element by its type,
// as list-maps of conditions are keyed.
func ConditionPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("status", "conditions", fieldpath.KeyByFields("type", TouchCondition))
}

// ReplicasPath is what scaling names: where /scale lies in its object, for all
// kinds that are built in and for most others.
func ReplicasPath() fieldpath.Path { return fieldpath.MakePathOrDie("spec", "replicas") }
