package release

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Version is an API version in one release.
type Version struct {
	// Name is v6.
	Name string
	// Disabled versions are read from the store, and served only if --runtime-config enables
	// them. Default: served.
	Disabled bool
	// Deprecated adds a deprecation warning to every answer through the version. Default: not
	// deprecated.
	Deprecated *Deprecation
	// New and NewList return empty objects of the version's Go types.
	New, NewList func() runtime.Object
	// Labels maps the version's field labels for selectors to those of the internal form:
	// spec.arg is spec.param. Default: none.
	Labels map[string]string
}

// Deprecation describes a deprecated version.
type Deprecation struct {
	// Since is the release that deprecates the version, Gone the one that removes it: 1.28 and
	// 1.30.
	Since, Gone string
	// Use names the version to use instead.
	Use string
}

// Of makes a version whose objects have the spec S and the status T.
//
// Fields of S and T with a field of the same Go name in the internal form are converted by
// name. If a field is a struct without a counterpart in the internal form, its fields are
// converted instead. A value and a pointer are compatible; nil means zero. Parts convert the
// other fields.
func Of[S, T any](name string) Version {
	return Version{
		Name:    name,
		New:     func() runtime.Object { return &object.Object[S, T]{} },
		NewList: func() runtime.Object { return &object.List[S, T]{} },
	}
}
