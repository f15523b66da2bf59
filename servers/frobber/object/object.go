package object

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is an object of one API version as one release has it: S is its spec,
// T its status.
//
// Structs that S is made of carry json, protobuf, patchStrategy and
// patchMergeKey tags as Kubernetes' own do, listType and listMapKey as its
// markers do, doc (the published description), default (the published default, as
// JSON) and lifecycle (how far a field has come that is not stable: its status,
// since which release, and its gate: alpha,1.2,Frobber2D). Structs are embedded with the tag json:",inline", at
// most two deep; their types are exported, or reflection could not reach them.
//
// Its metadata is a field with a name: embedded, each of the some two hundred pairs of S and T
// would have sixty methods of metav1.ObjectMeta compiled for it, ten seconds of a first build.
type Object[S, T any] struct {
	TypeMeta `json:",inline"`
	Metadata metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata" doc:"Standard object's metadata."`
	Spec     S                 `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec" doc:"spec is what is asked for."`
	Status   T                 `json:"status,omitempty" protobuf:"bytes,3,opt,name=status" doc:"status is what was made of it."`
}

// List is a list of them.
type List[S, T any] struct {
	TypeMeta `json:",inline"`
	Metadata metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata" doc:"Standard list metadata."`
	Items    []Object[S, T]  `json:"items" protobuf:"bytes,2,rep,name=items" doc:"items are the objects."`
}

// TypeMeta is metav1.TypeMeta without the methods of its own encoding.
type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

// GetObjectKind makes what embeds a TypeMeta a runtime.Object.
func (t *TypeMeta) GetObjectKind() schema.ObjectKind { return (*metav1.TypeMeta)(t) }

// GetObjectMeta makes an Object a metav1.ObjectMetaAccessor.
func (o *Object[S, T]) GetObjectMeta() metav1.Object { return &o.Metadata }

// GetListMeta makes a List a metav1.ListMetaAccessor.
func (l *List[S, T]) GetListMeta() metav1.ListInterface { return &l.Metadata }

// Sequence is what a List is to code that does not know its element's type.
type Sequence interface {
	runtime.Object
	metav1.ListMetaAccessor
	Len() int
	At(i int) runtime.Object
	// Resize makes it a list of n empty elements.
	Resize(n int)
}

// Len is the number of elements.
func (l *List[S, T]) Len() int { return len(l.Items) }

// At gives an element, which is the list's own.
func (l *List[S, T]) At(i int) runtime.Object { return &l.Items[i] }

// Resize makes it a list of n empty elements.
func (l *List[S, T]) Resize(n int) { l.Items = make([]Object[S, T], n) }

// DeepCopyObject makes an Object a runtime.Object.
func (o *Object[S, T]) DeepCopyObject() runtime.Object { return DeepCopy(o) }

// DeepCopyObject makes a List a runtime.Object.
func (l *List[S, T]) DeepCopyObject() runtime.Object { return DeepCopy(l) }

// Content is what an Object is to code that does not know its structs.
type Content interface {
	// Contents gives pointers to the spec and the status.
	Contents() (spec, status any)
}

// Contents gives pointers to the spec and the status.
func (o *Object[S, T]) Contents() (spec, status any) { return &o.Spec, &o.Status }
