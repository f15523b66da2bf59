package plan

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

// labelPath is what touching a label names.
func labelPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("metadata", "labels", TouchLabel)
}

// conditionPath is what touching a condition names: the element by its type,
// as list-maps of conditions are keyed.
func conditionPath() fieldpath.Path {
	return fieldpath.MakePathOrDie("status", "conditions", fieldpath.KeyByFields("type", TouchCondition))
}
