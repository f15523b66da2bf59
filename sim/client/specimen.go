package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/plan"
)

// Specimen is the object that a copy is created as: its manifest under the
// copy's name, with the label that touches change, so that a JSON patch always
// has a map to put it in.
func Specimen(p *plan.Plan, c plan.Copy, namespaced bool) map[string]any {
	object := unstructured.Unstructured{Object: runtime.DeepCopyJSON(p.Manifests[c.Manifest].Body)}
	object.SetName(c.Name)
	object.SetGenerateName("")
	object.SetNamespace("")
	if namespaced {
		object.SetNamespace(p.Namespace)
	}
	labels := object.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[plan.TouchLabel] = "untouched"
	object.SetLabels(labels)
	return object.Object
}
