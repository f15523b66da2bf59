package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/plan"
)

// Specimen is the object that a copy is created as: its manifest under the
// name of the copy's object, with the label that touches change, so that a JSON patch always
// has a map to put it in.
func Specimen(p *plan.Plan, c plan.Copy, namespaced bool) map[string]any {
	object := unstructured.Unstructured{Object: runtime.DeepCopyJSON(p.Manifests[c.Manifest].Body)}
	object.SetName(p.ObjectName(c.Name, namespaced))
	object.SetGenerateName("")
	object.SetNamespace("")
	if namespaced {
		object.SetNamespace(p.Namespace)
	}
	// Labels of the wrong form are left to the server to refuse: what is sent
	// must be what the user wrote.
	_ = unstructured.SetNestedField(object.Object, "untouched", "metadata", "labels", plan.TouchLabel)
	return object.Object
}
