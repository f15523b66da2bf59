package release

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
)

// Release is one release of the train.
type Release struct {
	// Name is the release's number: 1.1.
	Name string
	// Mutant names the mistake that this release was made with, such as required, or the
	// variant that it is. It is empty for the correct release.
	Mutant string
	// Versions are the API versions that objects may be stored in, the preferred one first. All
	// except the disabled ones are served.
	Versions []Version
	// Storage is the version that objects are stored in. It is one of Versions.
	Storage string
	// ToldStorage is the version whose hash discovery publishes as the storage version.
	// Default: Storage.
	ToldStorage string
	// StorageMediaType is the encoding of stored objects. Default: JSON.
	StorageMediaType string
	// Gates are the release's own feature gates.
	Gates map[featuregate.Feature]featuregate.FeatureSpec
	// Parts are the hooks of its edits for the structs of versions, the oldest first.
	Parts []Part
	// Rules are the rules of its edits, the oldest first. All of them apply.
	Rules []Rule
	// StatusSetsAnnotations allows writes of the status to set annotations, as in some kinds of
	// Kubernetes. Default: they set only the status.
	StatusSetsAnnotations bool
}

// String returns the release's name on the command line: 1.1+required.
func (r *Release) String() string {
	if r.Mutant == "" {
		return r.Name
	}
	return r.Name + "+" + r.Mutant
}

// Version returns a version by its name; ok is false if the release does not have it.
func (r *Release) Version(name string) (v *Version, ok bool) {
	for i := range r.Versions {
		if r.Versions[i].Name == name {
			return &r.Versions[i], true
		}
	}
	return nil, false
}

// Gates reports whether a feature gate is enabled. It must be called at each request, because
// flags are parsed after the release was made.
type Gates func(featuregate.Feature) bool

// Rule contains what one edit adds to the strategy, for objects in the internal form. Any field
// may be nil.
type Rule struct {
	// Read sets fields that are absent in the store, in every object that is read from the
	// store, including one that is about to be updated, so that a patch applies to the object
	// that clients see. It is never called for an object that a client sent, where it matters
	// whether a field was left out. It may set fields, and must set the same ones at each read.
	Read func(f *api.Frobber)
	// Of names the field of the rule. A later rule for the same field replaces this one.
	// Default: the rule stays.
	Of string
	// PrepareForCreate clears fields that a create may not set.
	PrepareForCreate func(on Gates, created *api.Frobber)
	// PrepareForUpdate clears fields that an update may not set. It is not called for updates
	// of the status.
	PrepareForUpdate func(on Gates, updated, old *api.Frobber)
	// Validate validates an object as it would be stored, on create and update.
	Validate func(on Gates, f *api.Frobber) field.ErrorList
	// ValidateCreate validates only creates.
	ValidateCreate func(on Gates, created *api.Frobber) field.ErrorList
	// ValidateUpdate validates a change.
	ValidateUpdate func(on Gates, updated, old *api.Frobber) field.ErrorList
	// ValidateStatusUpdate validates a change of the status through /status.
	ValidateStatusUpdate func(on Gates, updated, old *api.Frobber) field.ErrorList
	// Warn returns warnings for an accepted body.
	Warn func(on Gates, f *api.Frobber) []string
	// Observe sets the status whenever an object is read.
	Observe func(f *api.Frobber)
	// Hide clears fields that the store keeps and clients do not see. Only mutants have it.
	Hide func(on Gates, f *api.Frobber)
	// Migrate changes a stored object when a server starts, and reports whether it has. It must
	// not change its own result again. Only mutants have it.
	Migrate func(f *api.Frobber) bool
}
