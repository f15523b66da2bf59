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

// TiltAnnotation is where all versions but v7alpha1 keep an object's tilt.
const TiltAnnotation = "v7alpha1.frobbing.example.com/tilt"

// V7alpha1 makes a struct a spec of v7alpha1.
type V7alpha1 struct{}

// OpenAPIModelName names the spec in what a server publishes.
func (V7alpha1) OpenAPIModelName() string { return "com.example.frobbing.v7alpha1.FrobberSpec" }

// TiltField is what v7alpha1 is there for.
type TiltField struct {
	Tilt *int32 `json:"tilt,omitempty" protobuf:"varint,20,opt,name=tilt" doc:"tilt is how far the object leans, in degrees, from -45 to 45." lifecycle:"alpha,1.28"`
}

// TiltV7alpha1 is all of v6 once more, for the sake of one field.
type TiltV7alpha1 struct {
	V7alpha1     `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	SpinOnlyRest `json:",inline"`
	TiltField    `json:",inline"`
}

// alphaVersion is 1.28, the guide's "New alpha API version": a field is staged in
// a version of its own, which is off unless --runtime-config asks for it. It shows
// the price: each kind of the group once more, a client that has to be told of
// another version, and a field that all other versions, first of them the stored
// one, must keep without having it. They keep it among the annotations. It
// also says that v5 goes.
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

// validateTilt holds for what v7alpha1 sent: other versions give no other tilt.
func validateTilt(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Tilt == nil || inRange(*f.Spec.Tilt) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "tilt"), *f.Spec.Tilt, tiltRange)}
}

// createParked holds for a tilt that comes in a version without the field.
func createParked(_ release.Gates, f *api.Frobber) field.ErrorList {
	text := f.Annotations[TiltAnnotation]
	tilt, is := numberIn(text)
	if !is || inRange(tilt) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations").Key(TiltAnnotation), text, tiltRange)}
}

// updateParked leaves alone what is stored already: 1.27 took any text, and such an
// object must stay writable.
func updateParked(on release.Gates, updated, old *api.Frobber) field.ErrorList {
	if updated.Annotations[TiltAnnotation] == old.Annotations[TiltAnnotation] {
		return nil
	}
	return createParked(on, updated)
}

// numberIn takes a number as parkTilt writes it. Of "+5" and "007" it would write
// another text than whoever put them there.
func numberIn(text string) (n int32, is bool) {
	long, err := strconv.ParseInt(text, 10, 32)
	return int32(long), err == nil && strconv.FormatInt(long, 10) == text
}

// parked keeps the tilt for the versions that are made of a V.
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

// unparkTilt leaves where it is what is no tilt: it is not ours.
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

func alphaVersionTwins() twins {
	return twins{"stored": alphaStored, "unparked": alphaUnparked}
}

// alphaStored stores v7alpha1, the one version that has the field. "Backward
// compatibility gotchas": "do not make it the storage version". An alpha version may
// go again "without any provision for preserving objects", and here everyone's
// objects would lie in it.
func alphaStored(r *release.Release) {
	alphaVersion(r)
	r.Storage = v7alpha1
}

// alphaUnparked forgets that v7alpha1 is not what is stored: the field is accepted,
// and is gone before the object reaches the store. "Multiple API versions": "you can
// not extend one versioned API without also extending the others".
func alphaUnparked(r *release.Release) { stageTilt(r) }

// deprecateV5 has 1.28 say that v5 goes: the deprecation policy asks for a warning
// to whoever still uses a version, releases before it is taken from them.
func deprecateV5(r *release.Release) {
	v, _ := r.Version(v5)
	v.Deprecated = &release.Deprecation{Since: "1.28", Gone: "1.30", Use: v7beta1}
}
