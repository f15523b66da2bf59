package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// AlphaSpinTombstone replaces the alpha field.
type AlphaSpinTombstone struct{}

// Tombstone returns the reserved name and tag, and the note for users.
func (AlphaSpinTombstone) Tombstone() object.Tombstone {
	return object.Tombstone{Name: "alphaSpin", Tag: 18, Note: "The field alphaSpin has been removed - use spin."}
}

// SpinOnlyRest contains the other fields of an object.
type SpinOnlyRest struct {
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
}

// SpinOnlyV6 is the spec of v6.
type SpinOnlyV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlyV5 is the spec of v5.
type SpinOnlyV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlyV7beta1 is the spec of v7beta1.
type SpinOnlyV7beta1 struct {
	V7beta1      `json:",inline"`
	Size         SpinOnlySizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField   `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlySizeMember is the size in v7beta1.
type SpinOnlySizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (SpinOnlySizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefixGone is 1.27, the proposal's fourth release: alphaSpin is removed, so that an update
// drops it from the store, and strict validation refuses it. In the proposal's listing its
// description is still published; here no field is published that does not exist, and the
// spec's description mentions it ("Once we dropped support for the field, swagger would no
// longer show them").
func prefixGone(r *release.Release) {
	serve(r, release.Of[SpinOnlyV6, Status](v6))
	serve(r, release.Of[SpinOnlyV5, Status](v5))
	serve(r, release.Of[SpinOnlyV7beta1, Status](v7beta1))
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return notNegative(f.Spec.Spin, "spin") },
		Observe:  func(f *api.Frobber) { spin(f, f.Spec.Spin) }})
}
