package release

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Version is one API version as one release has it.
type Version struct {
	// Name is v6.
	Name string
	// Disabled versions are read from the store, and served only where
	// --runtime-config says so. Default: served.
	Disabled bool
	// Deprecated has every answer through the version warn that it goes. Default: it
	// stays, as far as anyone knows.
	Deprecated *Deprecation
	// New and NewList give empty objects of the version's Go types.
	New, NewList func() runtime.Object
	// Labels are the field labels of selectors that the version calls otherwise
	// than the internal form does: spec.arg is spec.param. Default: none.
	Labels map[string]string
}

// Deprecation is what a release says of a version that goes.
type Deprecation struct {
	// Since is the release that said so first, Gone the one that is to have the
	// version no more: 1.28 and 1.30.
	Since, Gone string
	// Use names the version to go over to.
	Use string
}

// Of makes a version whose objects have the spec S and the status T.
//
// Fields of S and T that have the same Go name in the internal form are converted
// by name, and so are those of a struct in S or T which the internal form has no
// field for: it is a mere grouping. A value and a pointer to one fit together,
// where nil stands for zero. Parts do the rest.
func Of[S, T any](name string) Version {
	return Version{
		Name:    name,
		New:     func() runtime.Object { return &object.Object[S, T]{} },
		NewList: func() runtime.Object { return &object.List[S, T]{} },
	}
}
