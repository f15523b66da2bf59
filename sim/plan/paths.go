package plan

import (
	"cmp"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Part returns the subresource that the step writes, or "" for the whole object.
func (s Step) Part() string { return cmp.Or(s.Subresource, s.Verb.Subresource()) }

// LabelPath is the path that touching a label names.
func LabelPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("metadata", "labels", TouchLabel)
}

// ConditionPath is the path that touching a condition names: the element by its type, because
// list-maps of conditions are keyed by type.
func ConditionPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("status", "conditions", fieldpath.KeyByFields("type", TouchCondition))
}

// ReplicasPath is the path that scaling names: the value of /scale in its object, for all
// built-in kinds and most others.
func ReplicasPath() fieldpath.Path { return fieldpath.MakePathOrDie("spec", "replicas") }
