package crd

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestSamePlace: a run can use the definition that stays after a refusal only if both are
// served at the same path.
func TestSamePlace(t *testing.T) {
	const there = `{"spec": {"scope": "Cluster", "names": {"plural": "gears", "kind": "Gear"}, "versions": [{"name": "v1"}]}}`
	for other, want := range map[string]bool{
		`{"spec": {"scope": "Cluster", "names": {"plural": "gears", "kind": "Gear"}, "versions": [{"name": "v2"}]}}`: true,
		`{"spec": {"scope": "Namespaced", "names": {"plural": "gears", "kind": "Gear"}}}`:                            false,
		`{"spec": {"scope": "Cluster", "names": {"plural": "gearz", "kind": "Gear"}}}`:                               false,
		`{"spec": {"scope": "Cluster", "names": {"plural": "gears", "kind": "Cog"}}}`:                                false,
		`no definition`: false,
	} {
		if got := samePlace([]byte(other), []byte(there)); got != want {
			t.Errorf("%s: %t, want %t", other, got, want)
		}
	}
}

// TestConflict: conflict reports names that are not accepted, and waits while the condition is
// unknown.
func TestConflict(t *testing.T) {
	for status, want := range map[apiextensionsv1.ConditionStatus]string{
		"": "", apiextensionsv1.ConditionTrue: "", apiextensionsv1.ConditionFalse: `KindConflict: "Gear" is already in use`,
	} {
		var d apiextensionsv1.CustomResourceDefinition
		if status != "" {
			d.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{
				{Type: apiextensionsv1.NamesAccepted, Status: status, Reason: "KindConflict", Message: `"Gear" is already in use`},
			}
		}
		if got := conflict(d); got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
	}
}
