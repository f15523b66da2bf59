// Package v1 has Gadgets as they were first.
// +groupName=hub.example.dev
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"hub.example.dev/api/v2"
)

// Gadget converts to and from v2.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// Spec is the wanted state of a Gadget.
type Spec struct {
	Size int64 `json:"size,omitempty"`
}

// ConvertTo implements conversion.Convertible.
func (g *Gadget) ConvertTo(hub conversion.Hub) error {
	to := hub.(*v2.Gadget)
	to.ObjectMeta, to.Spec.Extent = g.ObjectMeta, g.Spec.Size
	return nil
}

// ConvertFrom implements conversion.Convertible. The mistake: nothing keeps the colour, which only v2 has.
func (g *Gadget) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*v2.Gadget)
	g.ObjectMeta, g.Spec.Size = from.ObjectMeta, from.Spec.Extent
	return nil
}

// DeepCopyObject implements runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	to := *g
	g.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	return &to
}

// AddToScheme adds the types of this package.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(schema.GroupVersion{Group: "hub.example.dev", Version: "v1"}, &Gadget{})
	return nil
}
