package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// Frobber2D is the guide's feature gate: objects can be turned.
const Frobber2D featuregate.Feature = "Frobber2D"

// AngleField is an alpha field.
type AngleField struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees." lifecycle:"alpha,1.2,Frobber2D"`
}

// The specs of 1.2.
type (
	AngleV6 struct {
		V6          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		AngleField  `json:",inline"`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
	}
	AngleV5 struct {
		V5          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		AngleField  `json:",inline"`
		ArgField    `json:",inline"`
		PlainFields `json:",inline"`
	}
)

// gatedField is 1.2, the guide's "New field in existing API version": the field is
// published, and a gate that is off by default says whether it can be used. What
// is stored already stays, whatever the gate says: another server wrote it.
func gatedField(r *release.Release) {
	serveOld[AngleV6, AngleV5](r)
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: false, PreRelease: featuregate.Alpha})
	rule(r, release.Rule{Of: "angle", PrepareForCreate: createAngle, PrepareForUpdate: updateAngle, Validate: validateAngle})
}

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
