package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// Frobber2D is the guide's feature gate: objects can be turned.
const Frobber2D featuregate.Feature = "Frobber2D"

// AngleSpec is still v6, with an alpha field.
type AngleSpec struct {
	WidthSpec `json:",inline"`
	Angle     *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees. This is an alpha field and requires enabling the Frobber2D feature gate."`
}

// gatedField is 1.2, the guide's "New field in existing API version": the field is
// published, and a gate that is off by default says whether it can be used. What
// is stored already stays, whatever the gate says: another server wrote it.
func gatedField(r *release.Release) {
	serve(r, release.Of[AngleSpec, Status](v6, release.Forms[AngleSpec]{Default: defaultAngle}))
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: false, PreRelease: featuregate.Alpha})
	rule(r, release.Rule{PrepareForCreate: createAngle, PrepareForUpdate: updateAngle, Validate: validateAngle})
}

// defaultAngle gives the angle none: a gated field is absent where it is not used.
func defaultAngle(s *AngleSpec) { defaultWidth(&s.WidthSpec) }

func createAngle(on release.Gates, created *api.Frobber) {
	if !on(Frobber2D) {
		created.Spec.Angle = nil
	}
}

func updateAngle(on release.Gates, updated, old *api.Frobber) {
	if !on(Frobber2D) && old.Spec.Angle == nil {
		updated.Spec.Angle = nil
	}
}

// validateAngle asks no gate: what is there must be right.
func validateAngle(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Angle == nil || *f.Spec.Angle >= 0 && *f.Spec.Angle < 360 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "angle"), *f.Spec.Angle, "must be from 0 to 359")}
}
