package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func serveVersionMutants() mutants {
	return mutants{
		"forgets":   versionForgets,
		"labels":    labelsMixedUp,
		"preferred": versionPreferred,
		"stored":    versionStored,
		"swaps":     versionSwaps,
		"unlabels":  labelsForgotten,
	}
}

// ForgetsSize is how large an object is, but for its width.
type ForgetsSize struct {
	HeightField `json:",inline"`
	AngleField  `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ForgetsSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// ForgetsV7beta1 is the spec of a v7beta1 that was designed before there was a width.
type ForgetsV7beta1 struct {
	V7beta1     `json:",inline"`
	Size        ForgetsSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField  `json:",inline"`
	PlainFields `json:",inline"`
}

// versionForgets has no width in v7beta1, so whatever is written through it loses
// its width, also what v6 wrote. "Multiple API versions": "you can not extend one
// versioned API without also extending the others" (rule 4).
func versionForgets(r *release.Release) {
	serve(r, release.Of[ForgetsV7beta1, Status](v7beta1))
}

// versionStored stores v7beta1 in the release that introduces it. "Backward
// compatibility gotchas": "do not make it the storage version", "so that a
// rollback of the apiserver doesn't render resources in etcd undecodable".
func versionStored(r *release.Release) {
	serveVersion(r)
	r.Storage = v7beta1
}

// versionPreferred prefers v7beta1 in the release that introduces it. "Backward
// compatibility gotchas": "Do not add a new API version of an existing resource and
// make it the preferred version in the same release". Who looks in discovery is led
// to a version that the release before answers with 404.
func versionPreferred(r *release.Release) {
	serveVersion(r)
	prefer(r, v7beta1)
}

// versionSwaps converts v7beta1 to the internal form as it should, and takes height
// and width for each other on the way back. "Edit version conversions": where there
// are "any notable differences [...] you must add some logic to convert", and tests.
func versionSwaps(r *release.Release) {
	serveVersion(r)
	part(r, release.PartOf(release.Hooks[Size]{FromInternal: func(from *api.Spec, s *Size) {
		if from.Height != nil && from.Width != nil {
			s.Height, s.Width = *from.Width, new(*from.Height)
		}
	}}))
}

// labelsForgotten registers the labels of v6 for all versions while it adds one, so
// that v5 has no spec.arg any more. "Edit conversion.go": a reference to a field is
// converted version by version, by AddFieldLabelConversionFunc.
func labelsForgotten(r *release.Release) {
	serveVersion(r)
	before, _ := r.Version(v5)
	before.Labels = nil
}

// labelsMixedUp has v5 convert spec.arg to the name of the object.
func labelsMixedUp(r *release.Release) {
	serveVersion(r)
	before, _ := r.Version(v5)
	before.Labels = map[string]string{"spec.arg": "metadata.name"}
}
