package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/skewsim/skewsim/sim/plan"
)

// Specimen is the object that a copy is created as: its manifest with the copy's own
// in the place of placeholders, under the name of the copy's object, with the label
// that touches change, so that a JSON patch always has a map to put it in. Where a
// server is to name it, name is what it has named it, or "" before that.
func Specimen(p *plan.Plan, c plan.Copy, namespaced bool, name string) map[string]any {
	filled, _ := p.Fill(p.Manifests[c.Manifest].Body, c, namespaced).(map[string]any)
	object := unstructured.Unstructured{Object: filled}
	object.SetName(name)
	object.SetGenerateName("")
	switch {
	case name != "":
	case p.Generated(c):
		object.SetGenerateName(p.ObjectName(c, namespaced))
	default:
		object.SetName(p.ObjectName(c, namespaced))
	}
	object.SetNamespace("")
	if namespaced {
		object.SetNamespace(p.Namespace)
	}
	// Labels of the wrong form are left to the server to refuse: what is sent
	// must be what the user wrote.
	_ = unstructured.SetNestedField(object.Object, "untouched", "metadata", "labels", plan.TouchLabel)
	return object.Object
}
