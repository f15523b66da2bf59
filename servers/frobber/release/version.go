package release

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Version is one API version as one release has it.
type Version struct {
	// Name is v6.
	Name string
	// New and NewList give empty objects of the version's Go types.
	New, NewList func() runtime.Object
	// Default fills in what a client or the store left out of an object of
	// these types.
	Default func(runtime.Object)
	// ToInternal and FromInternal convert the spec and the status. The rest, which
	// is the same in all versions, is not their concern.
	ToInternal   func(from runtime.Object, into *api.Frobber) error
	FromInternal func(from *api.Frobber, into runtime.Object) error
}

// Forms are what the edits say of a version whose spec is S, besides its fields.
type Forms[S any] struct {
	// Default fills in absent fields. Default: nothing.
	Default func(*S)
	// ToInternal and FromInternal convert the fields that are not called the same in the
	// internal form; those that are have been copied before. Default: nothing.
	ToInternal   func(*S, *api.Spec)
	FromInternal func(*api.Spec, *S)
}

// Of makes a version of the given structs. Fields of S and T that have the same
// Go name in the internal form are converted by name: a value and a pointer to
// one fit together, where nil stands for zero; forms does the rest.
func Of[S, T any](name string, forms Forms[S]) Version {
	return Version{
		Name:    name,
		New:     func() runtime.Object { return &object.Object[S, T]{} },
		NewList: func() runtime.Object { return &object.List[S, T]{} },
		Default: func(o runtime.Object) {
			if forms.Default != nil {
				forms.Default(&o.(*object.Object[S, T]).Spec)
			}
		},
		ToInternal: func(from runtime.Object, into *api.Frobber) error {
			o := from.(*object.Object[S, T])
			into.Spec, into.Status = api.Spec{}, api.Status{}
			object.CopyFields(&o.Spec, &into.Spec)
			object.CopyFields(&o.Status, &into.Status)
			if forms.ToInternal != nil {
				forms.ToInternal(&o.Spec, &into.Spec)
			}
			return nil
		},
		FromInternal: func(from *api.Frobber, into runtime.Object) error {
			o := into.(*object.Object[S, T])
			object.CopyFields(&from.Spec, &o.Spec)
			object.CopyFields(&from.Status, &o.Status)
			if forms.FromInternal != nil {
				forms.FromInternal(&from.Spec, &o.Spec)
			}
			return nil
		},
	}
}
