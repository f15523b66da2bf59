package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// AlphaSpinField is an alpha field by its name, behind no gate.
type AlphaSpinField struct {
	AlphaSpin *int32 `json:"alphaSpin,omitempty" protobuf:"varint,18,opt,name=alphaSpin" doc:"alphaSpin is how fast the object turns, in rounds per minute. Feature is alpha and may change without notice." lifecycle:"alpha,1.25"`
}

// PrefixRest is what else an object has.
type PrefixRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	ShineField     `json:",inline"`
	GlowTombstone  `json:",inline"`
	AlphaSpinField `json:",inline"`
}

// PrefixV6 is still v6.
type PrefixV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	PrefixRest   `json:",inline"`
}

// PrefixV5 is still v5.
type PrefixV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	PrefixRest   `json:",inline"`
}

// PrefixV7beta1 is still v7beta1.
type PrefixV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PrefixSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PrefixRest `json:",inline"`
}

// PrefixSizeMember is the size as v7beta1 has it.
type PrefixSizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PrefixSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefix is 1.25, the second release of the alpha-field proposal: alphaSpin is
// visible and honoured, and its name says what it is. The releases before drop it
// in silence, as any field that they do not know.
func prefix(r *release.Release) {
	serve(r, release.Of[PrefixV6, Status](v6))
	serve(r, release.Of[PrefixV5, Status](v5))
	serve(r, release.Of[PrefixV7beta1, Status](v7beta1))
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
			return notNegative(f.Spec.AlphaSpin, "alphaSpin")
		},
		Observe: func(f *api.Frobber) { spin(f, f.Spec.AlphaSpin) }})
}

// spin is what the spin means: an object that turns needs twice the area.
func spin(f *api.Frobber, rounds *int32) {
	if rounds != nil && *rounds > 0 {
		f.Status.Area *= 2
	}
}
