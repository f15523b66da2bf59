package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// SpinField is the field that has come of it.
type SpinField struct {
	Spin *int32 `json:"spin,omitempty" protobuf:"varint,19,opt,name=spin" doc:"spin is how fast the object turns, in rounds per minute."`
}

// IgnoredSpinField is the alpha field, kept for those who upgrade.
type IgnoredSpinField struct {
	AlphaSpin *int32 `json:"alphaSpin,omitempty" protobuf:"varint,18,opt,name=alphaSpin" doc:"This field has been removed - use spec.spin." lifecycle:"deprecated,1.26"`
}

// SpinRest is what else an object has.
type SpinRest struct {
	PlainFields      `json:",inline"`
	ParamsField      `json:",inline"`
	TuesdayField     `json:",inline"`
	MemberField      `json:",inline"`
	MaterialField    `json:",inline"`
	MaterialsField   `json:",inline"`
	ColourField      `json:",inline"`
	ShineField       `json:",inline"`
	GlowTombstone    `json:",inline"`
	IgnoredSpinField `json:",inline"`
	SpinField        `json:",inline"`
}

// SpinV6 is still v6.
type SpinV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	SpinRest     `json:",inline"`
}

// SpinV5 is still v5.
type SpinV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	SpinRest     `json:",inline"`
}

// SpinV7beta1 is still v7beta1.
type SpinV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       SpinSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	SpinRest   `json:",inline"`
}

// SpinSizeMember is the size as v7beta1 has it.
type SpinSizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (SpinSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefixReal is 1.26, the proposal's third release: spin is out of alpha. alphaSpin
// is visible beside it, is stored as it is sent, and means nothing. It is validated
// all the same: 1.25 refuses every write of what it holds to be wrong.
func prefixReal(r *release.Release) {
	serve(r, release.Of[SpinV6, Status](v6))
	serve(r, release.Of[SpinV5, Status](v5))
	serve(r, release.Of[SpinV7beta1, Status](v7beta1))
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
			return append(notNegative(f.Spec.Spin, "spin"), notNegative(f.Spec.AlphaSpin, "alphaSpin")...)
		},
		Warn:    warnAlphaSpin,
		Observe: func(f *api.Frobber) { spin(f, f.Spec.Spin) }})
}

// warnAlphaSpin: "kubectl validate could flag this as unsupported".
func warnAlphaSpin(_ release.Gates, f *api.Frobber) []string {
	if f.Spec.AlphaSpin == nil {
		return nil
	}
	return []string{"spec.alphaSpin: this field has been removed - use spec.spin"}
}
