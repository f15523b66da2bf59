package train

import (
	"maps"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

const v7alpha1 = "v7alpha1"

// TiltAnnotation is the annotation in which all versions except v7alpha1 keep an object's tilt.
const TiltAnnotation = "v7alpha1.frobbing.example.com/tilt"

// V7alpha1 marks a struct as a spec of v7alpha1.
type V7alpha1 struct{}

// OpenAPIModelName returns the spec's name in published schemas.
func (V7alpha1) OpenAPIModelName() string { return "com.example.frobbing.v7alpha1.FrobberSpec" }

// TiltField is the field that v7alpha1 adds.
type TiltField struct {
	Tilt *int32 `json:"tilt,omitempty" protobuf:"varint,20,opt,name=tilt" doc:"tilt is how far the object leans, in degrees, from -45 to 45." lifecycle:"alpha,1.28"`
}

// TiltV7alpha1 has all fields of v6, and the new one.
type TiltV7alpha1 struct {
	V7alpha1           `json:",inline"`
	InchesFields       `json:",inline"`
	StableAngleField   `json:",inline"`
	DepthField         `json:",inline"`
	ParamField         `json:",inline"`
	PlainFields        `json:",inline"`
	ParamsField        `json:",inline"`
	TuesdayField       `json:",inline"`
	MemberField        `json:",inline"`
	MaterialField      `json:",inline"`
	MaterialsField     `json:",inline"`
	ColourField        `json:",inline"`
	ShineField         `json:",inline"`
	GlowTombstone      `json:",inline"`
	AlphaSpinTombstone `json:",inline"`
	SpinField          `json:",inline"`
	TiltField          `json:",inline"`
}

// alphaVersion is 1.28, the guide's "New alpha API version": a field is staged in a new
// version, which is off unless --runtime-config enables it. It shows the price: each kind of
// the group again, clients that must use another version, and a field that all other versions,
// including the storage version, must keep without having it. They keep it in an annotation.
// The release also deprecates v5.
func alphaVersion(r *release.Release) {
	stageTilt(r)
	part(r, release.PartOf(parked[V5]()))
	part(r, release.PartOf(parked[V6]()))
	part(r, release.PartOf(parked[V7beta1]()))
	rule(r, release.Rule{ValidateCreate: createParked, ValidateUpdate: updateParked})
}

func stageTilt(r *release.Release) {
	deprecateV5(r)
	v := release.Of[TiltV7alpha1, Status](v7alpha1)
	v.Disabled = true
	serve(r, v)
	rule(r, release.Rule{Validate: validateTilt})
}

const tiltRange = "must be from -45 to 45"

func inRange(tilt int32) bool { return tilt >= -45 && tilt <= 45 }

// validateTilt applies to v7alpha1; other versions cannot set an invalid tilt.
func validateTilt(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Tilt == nil || inRange(*f.Spec.Tilt) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "tilt"), *f.Spec.Tilt, tiltRange)}
}

// createParked validates a tilt that is sent in a version without the field.
func createParked(_ release.Gates, f *api.Frobber) field.ErrorList {
	text := f.Annotations[TiltAnnotation]
	tilt, is := numberIn(text)
	if !is || inRange(tilt) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations").Key(TiltAnnotation), text, tiltRange)}
}

// updateParked accepts what is stored already: 1.27 accepted any text, and such an object must
// stay writable.
func updateParked(on release.Gates, updated, old *api.Frobber) field.ErrorList {
	if updated.Annotations[TiltAnnotation] == old.Annotations[TiltAnnotation] {
		return nil
	}
	return createParked(on, updated)
}

// numberIn parses a number in the form that parkTilt writes. It refuses "+5" and "007", which
// would be written back as another text.
func numberIn(text string) (n int32, is bool) {
	long, err := strconv.ParseInt(text, 10, 32)
	return int32(long), err == nil && strconv.FormatInt(long, 10) == text
}

// parked keeps the tilt for the versions with a V.
func parked[V any]() release.Hooks[V] { return release.Hooks[V]{Park: parkTilt, Unpark: unparkTilt} }

func parkTilt(from *api.Frobber, meta *metav1.ObjectMeta) {
	if from.Spec.Tilt == nil {
		return
	}
	annotations := map[string]string{}
	maps.Copy(annotations, meta.Annotations)
	annotations[TiltAnnotation] = strconv.Itoa(int(*from.Spec.Tilt))
	meta.Annotations = annotations
}

// unparkTilt leaves an annotation that is not a tilt: it belongs to somebody else.
func unparkTilt(parked map[string]string, into *api.Frobber) {
	tilt, is := numberIn(parked[TiltAnnotation])
	if !is || !inRange(tilt) {
		return
	}
	into.Spec.Tilt = new(tilt)
	if into.Annotations = maps.Clone(into.Annotations); into.Annotations != nil {
		delete(into.Annotations, TiltAnnotation)
	}
	if len(into.Annotations) == 0 {
		into.Annotations = nil
	}
}

func alphaVersionMutants() mutants {
	return mutants{"stored": alphaStored, "unparked": alphaUnparked}
}

// alphaStored stores v7alpha1, the one version that has the field. "Backward compatibility
// gotchas": "do not make it the storage version". An alpha version may be removed "without any
// provision for preserving objects", and here all objects would be stored in it.
func alphaStored(r *release.Release) {
	alphaVersion(r)
	r.Storage = v7alpha1
}

// alphaUnparked ignores that v7alpha1 is not the storage version: the field is accepted, and
// lost before the object reaches the store. "Multiple API versions": "you can not extend one
// versioned API without also extending the others".
func alphaUnparked(r *release.Release) { stageTilt(r) }

// deprecateV5 deprecates v5 in 1.28: the deprecation policy requires a warning to users of a
// version some releases before its removal.
func deprecateV5(r *release.Release) {
	v, _ := r.Version(v5)
	v.Deprecated = &release.Deprecation{Since: "1.28", Gone: "1.30", Use: v7beta1}
}
