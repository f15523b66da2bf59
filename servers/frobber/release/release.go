package release

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
)

// Release is one stop of the train.
type Release struct {
	// Name is the release's number: 1.1.
	Name string
	// Twin names the mistake that this release was made with: required; or the
	// other right way in which it was made. "" is the right release.
	Twin string
	// Versions are the API versions that objects may be stored in, the preferred
	// one first. All but the disabled ones are served.
	Versions []Version
	// Storage is the version that objects are stored in. It is one of Versions.
	Storage string
	// ToldStorage is the version that discovery says, by a hash, objects are stored
	// in. Default: the one that they are stored in.
	ToldStorage string
	// StorageMediaType is the encoding of stored objects. Default: JSON.
	StorageMediaType string
	// Gates are the release's own feature gates.
	Gates map[featuregate.Feature]featuregate.FeatureSpec
	// Parts are what its edits say of structs that versions are made of, the
	// oldest first.
	Parts []Part
	// Rules are what its edits ask for, the oldest first. All of them apply.
	Rules []Rule
	// StatusSetsAnnotations lets writes of the status set annotations too, as those
	// of some kinds of Kubernetes could. Default: they set the status alone.
	StatusSetsAnnotations bool
}

// String is how the release is named on the command line: 1.1+required.
func (r *Release) String() string {
	if r.Twin == "" {
		return r.Name
	}
	return r.Name + "+" + r.Twin
}

// Version gives a version by its name; ok is false when the release has none such.
func (r *Release) Version(name string) (v *Version, ok bool) {
	for i := range r.Versions {
		if r.Versions[i].Name == name {
			return &r.Versions[i], true
		}
	}
	return nil, false
}

// Gates tells whether a feature gate is on. It must be asked at each request:
// flags are parsed after the release was made.
type Gates func(featuregate.Feature) bool

// Rule is what one edit asks of objects, in the internal form, as a strategy of
// Kubernetes does. Any part may be nil.
type Rule struct {
	// Read fills in what the store's bytes leave out: of whatever is read from the
	// store, what is about to be updated as well, so that a patch applies to what
	// clients are shown. It never sees what a client sent: there it matters whether
	// a field was left out. It may set fields, and fill in the same at each read.
	Read func(f *api.Frobber)
	// Of names the field that the rule is about, where a later edit has another
	// rule of it, which takes this one's place. Default: the rule stays.
	Of string
	// PrepareForCreate clears what a create may not set.
	PrepareForCreate func(on Gates, created *api.Frobber)
	// PrepareForUpdate clears what an update may not set. It is not called for
	// updates of the status.
	PrepareForUpdate func(on Gates, updated, old *api.Frobber)
	// Validate judges an object as it would be stored, on create and update.
	Validate func(on Gates, f *api.Frobber) field.ErrorList
	// ValidateCreate judges what is created, and no update.
	ValidateCreate func(on Gates, created *api.Frobber) field.ErrorList
	// ValidateUpdate judges a change.
	ValidateUpdate func(on Gates, updated, old *api.Frobber) field.ErrorList
	// ValidateStatusUpdate judges a change of the status through /status.
	ValidateStatusUpdate func(on Gates, updated, old *api.Frobber) field.ErrorList
	// Warn gives warnings for a body that is accepted.
	Warn func(on Gates, f *api.Frobber) []string
	// Observe fills in the status whenever an object is read.
	Observe func(f *api.Frobber)
	// Hide leaves out what clients are not shown, and the store keeps. No right release
	// has one.
	Hide func(on Gates, f *api.Frobber)
	// Migrate changes a stored object when a server starts, and reports whether it has.
	// It must find nothing to change in what it has changed. No right release has one.
	Migrate func(f *api.Frobber) bool
}
