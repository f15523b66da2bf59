package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Group is the API group. example.com belongs to nobody (RFC 2606).
const Group = "frobbing.example.com"

// Kind and Resource are the kind's names in URLs and in bodies.
const (
	Kind     = "Frobber"
	ListKind = "FrobberList"
	Resource = "frobbers"
)

// Internal returns the group and version of this package's types.
func Internal() schema.GroupVersion {
	return schema.GroupVersion{Group: Group, Version: runtime.APIVersionInternal}
}

// Frobber is the kind that Kubernetes' guide "Changing the API" uses as its example.
type Frobber struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// List is a list of Frobbers.
type List struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Frobber
}

// Spec is what a user asks for.
type Spec struct {
	Height   *int32
	Param    string
	Replicas *int32
	Parts    []Part
	Width    *int32 // since 1.1
	Angle    *int32 // since 1.2

	Params         []string   // since 1.6
	HeightInInches *int32     // since 1.7
	WidthInInches  *int32     // since 1.7
	RestartPolicy  string     // since 1.8
	Power          *Power     // since 1.13
	Material       string     // since 1.15
	Materials      []Material // since 1.16
	Colour         *string    // since 1.17
	Glow           *int32     // since 1.20
	Shine          *int32     // since 1.22
	Depth          *int32     // since 1.24
	AlphaSpin      *int32     // since 1.25
	Spin           *int32     // since 1.26
	Tilt           *int32     // since 1.28
}

// Power is a union: at most one member is set.
type Power struct { // since 1.13
	Manual *Manual // since 1.13
	Motor  *Motor  // since 1.13
	Solar  *Solar  // since 1.14
} // since 1.13

// Manual is power by hand.
type Manual struct{ Hands *int32 } // since 1.13

// Motor is power by a motor.
type Motor struct{ Watts *int32 } // since 1.13

// Solar is power from the sun.
type Solar struct{ Panels *int32 } // since 1.14

// Material is one of the materials of an object.
type Material struct { // since 1.16
	Name    string // since 1.16
	Percent *int32 // since 1.16
} // since 1.16

// Part is an element of a list whose elements are identified by name.
type Part struct {
	Name string
	Size *int32
}

// Status is set by the server.
type Status struct {
	// Area is computed from the spec whenever the object is read. It shows how the server
	// understands the spec.
	Area       int64
	Replicas   int32
	Conditions []metav1.Condition
}

// DeepCopyObject makes a Frobber a runtime.Object.
func (f *Frobber) DeepCopyObject() runtime.Object { return object.DeepCopy(f) }

// DeepCopyObject makes a List a runtime.Object.
func (l *List) DeepCopyObject() runtime.Object { return object.DeepCopy(l) }
