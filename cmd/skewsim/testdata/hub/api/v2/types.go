// Package v2 has the hub of Gadgets.
// +groupName=hub.example.dev
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Gadget is converted by way of this version.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// Spec is the wanted state of a Gadget.
type Spec struct {
	Extent int64  `json:"extent,omitempty"`
	Colour string `json:"colour,omitempty"`
}

// Hub implements conversion.Hub.
func (*Gadget) Hub() {}

// DeepCopyObject implements runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	to := *g
	g.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	return &to
}

// AddToScheme adds the types of this package.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(schema.GroupVersion{Group: "hub.example.dev", Version: "v2"}, &Gadget{})
	return nil
}
