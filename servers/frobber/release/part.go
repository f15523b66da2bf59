package release

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Part contains an edit's hooks for the struct with its fields: their default and conversion
// are then the same in all API versions that embed the struct or have it as a member, as the
// guide requires.
type Part struct {
	of           reflect.Type
	fill         func(part any)
	toInternal   func(part any, into *api.Spec)
	fromInternal func(from *api.Spec, part any)
	park         func(from *api.Frobber, meta *metav1.ObjectMeta)
	unpark       func(parked map[string]string, into *api.Frobber)
}

// Hooks are the functions for a struct P. Any may be nil.
type Hooks[P any] struct {
	// Default sets fields that are absent in a request or in the store.
	Default func(*P)
	// ToInternal and FromInternal convert the fields that have another name in the internal
	// form; fields with the same name have been copied before.
	ToInternal   func(*P, *api.Spec)
	FromInternal func(*api.Spec, *P)
	// Park saves in annotations the values for which versions with a P have no field, and
	// Unpark restores them. Both must copy a map of annotations before they change it.
	Park   func(from *api.Frobber, meta *metav1.ObjectMeta)
	Unpark func(parked map[string]string, into *api.Frobber)
}

// PartOf returns the Part with the hooks.
func PartOf[P any](h Hooks[P]) Part {
	p := Part{of: reflect.TypeFor[P](), park: h.Park, unpark: h.Unpark}
	if h.Default != nil {
		p.fill = func(part any) { h.Default(part.(*P)) }
	}
	if h.ToInternal != nil {
		p.toInternal = func(part any, into *api.Spec) { h.ToInternal(part.(*P), into) }
	}
	if h.FromInternal != nil {
		p.fromInternal = func(from *api.Spec, part any) { h.FromInternal(from, part.(*P)) }
	}
	return p
}

// Same reports whether both parts are for one struct.
func (p Part) Same(other Part) bool { return p.of == other.of }

// Default sets what a client, or the store, left out of an object of one of the release's
// versions.
func (r *Release) Default(o runtime.Object) {
	spec, _ := o.(object.Content).Contents()
	for _, p := range r.Parts {
		if part := object.Find(spec, p.of); part != nil && p.fill != nil {
			p.fill(part)
		}
	}
}

// ToInternal converts spec and status of an object of one of the release's versions. Other
// fields are the same in all versions; only parked annotations are converted.
func (r *Release) ToInternal(from runtime.Object, into *api.Frobber) {
	spec, status := from.(object.Content).Contents()
	into.Spec, into.Status = api.Spec{}, api.Status{}
	object.Ungroup(spec, &into.Spec)
	object.Ungroup(status, &into.Status)
	for _, p := range r.Parts {
		part := object.Find(spec, p.of)
		if part != nil && p.toInternal != nil {
			p.toInternal(part, &into.Spec)
		}
		if part != nil && p.unpark != nil {
			p.unpark(metaOf(from).Annotations, into)
		}
	}
}

// FromInternal is the reverse of ToInternal.
func (r *Release) FromInternal(from *api.Frobber, into runtime.Object) {
	spec, status := into.(object.Content).Contents()
	object.Clear(spec)
	object.Clear(status)
	object.Group(&from.Spec, spec)
	object.Group(&from.Status, status)
	for _, p := range r.Parts {
		part := object.Find(spec, p.of)
		if part != nil && p.fromInternal != nil {
			p.fromInternal(&from.Spec, part)
		}
		if part != nil && p.park != nil {
			p.park(from, metaOf(into))
		}
	}
}

// metaOf returns the metadata of an object of a version.
func metaOf(o runtime.Object) *metav1.ObjectMeta {
	return o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}
